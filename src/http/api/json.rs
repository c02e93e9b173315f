//! Lists in JSON that are written item by item into one buffer.

/// A list that is being written.
pub struct Array<'a> {
    bytes: &'a mut Vec<u8>,
    empty: bool,
}

impl Array<'_> {
    /// The place of the next item.
    pub fn item(&mut self) -> &mut Vec<u8> {
        if self.empty {
            self.empty = false;
        } else {
            self.bytes.push(b',');
        }
        self.bytes
    }
}

/// Appends a list with the items that a function writes.
pub fn array(bytes: &mut Vec<u8>, items: impl FnOnce(&mut Array)) {
    bytes.push(b'[');
    items(&mut Array { bytes, empty: true });
    bytes.push(b']');
}
