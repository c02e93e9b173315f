//! A control group (cgroup) with a memory limit.

use std::{
    fs,
    io::{self, Error},
    path::{Path, PathBuf},
    process,
};

/// A control group for this run; removed at its end.
pub struct Group {
    folder: PathBuf,
    version: Version,
}

#[derive(Clone, Copy)]
enum Version {
    One,
    Two,
}

impl Group {
    /// A new group. Under version 2, the root group has to delegate its memory controller.
    pub fn new(limit: u64) -> io::Result<Self> {
        let name = format!("cublino-{}", process::id());
        let (folder, version) = if Path::new("/sys/fs/cgroup/cgroup.controllers").exists() {
            (Path::new("/sys/fs/cgroup").join(name), Version::Two)
        } else {
            (Path::new("/sys/fs/cgroup/memory").join(name), Version::One)
        };
        fs::create_dir(&folder)?;
        let group = Self { folder, version };
        group.write(group.file("memory.limit_in_bytes", "memory.max"), &limit.to_string())?;
        Ok(group)
    }

    fn file(&self, one: &'static str, two: &'static str) -> &'static str {
        match self.version {
            Version::One => one,
            Version::Two => two,
        }
    }

    fn write(&self, file: &str, text: &str) -> io::Result<()> {
        let path = self.folder.join(file);
        fs::write(&path, text)
            .map_err(|error| Error::new(error.kind(), format!("{}: {error}", path.display())))
    }

    /// Starts a process in the group: this process joins it meanwhile, since children inherit the group.
    pub fn within<T>(&self, start: impl FnOnce() -> T) -> io::Result<T> {
        let home = self.home()?;
        let this = process::id().to_string();
        self.write("cgroup.procs", &this)?;
        let started = start();
        fs::write(home, this)?;
        Ok(started)
    }

    /// The `cgroup.procs` of the group that this process belongs to.
    fn home(&self) -> io::Result<PathBuf> {
        let controller = self.file("memory", "");
        let groups = fs::read_to_string("/proc/self/cgroup")?;
        let path = groups.lines().find_map(|line| {
            let (controllers, path) = line.split_once(':')?.1.split_once(':')?;
            controllers.split(',').any(|one| one == controller).then(|| path.trim_start_matches('/'))
        });
        let path = path.ok_or_else(|| Error::other("this process is in no group"))?;
        let top = self.folder.parent().expect("a group is below the top");
        Ok(top.join(path).join("cgroup.procs"))
    }

    /// The peak memory of the group, including the system's memory for its sockets and files.
    pub fn most(&self) -> String {
        let file = self.file("memory.max_usage_in_bytes", "memory.peak");
        let text = fs::read_to_string(self.folder.join(file));
        let bytes: Option<u64> = text.ok().and_then(|text| text.trim().parse().ok());
        bytes.map_or_else(String::new, |bytes| format!("{} KiB for the group", bytes >> 10))
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // If something still runs in it, the group stays, which does no harm.
        let _removed = fs::remove_dir(&self.folder);
    }
}
