// A host of MCP Apps, as small as can be: it shows the document of a tool, tells it what the tool answers, calls tools for
// it, and keeps its messages. `arguments` are the first call, and a function to call when the document is there.

const [first, done] = arguments;
const CSP = "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; "
  + "img-src 'self' data:; media-src 'self' data:; connect-src 'none'";

async function ask(method, params) {
  const headers = { "Content-Type": "application/json", "MCP-Protocol-Version": "2025-11-25" };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const { result } = await (await fetch("/mcp", { method: "POST", headers, body })).json();
  return result;
}

const ANSWERS = {
  "ui/initialize": async ({ protocolVersion }) =>
    ({ protocolVersion, hostInfo: { name: "test", version: "1" }, hostCapabilities: {}, hostContext: {} }),
  "tools/call": (params) => ask("tools/call", params),
  "ui/message": async (params) => {
    window.messages.push(params);
    return {};
  },
};

async function start() {
  window.messages = [];
  const { tools } = await ask("tools/list", {});
  const uri = tools.find(({ name }) => name === first.name)._meta.ui.resourceUri;
  const [{ text }] = (await ask("resources/read", { uri })).contents;
  const frame = document.createElement("iframe");
  frame.sandbox = "allow-scripts";
  frame.style = "width: 600px; height: 200px; border: 0";
  frame.srcdoc = text.replace("<head>", `<head><meta http-equiv="Content-Security-Policy" content="${CSP}">`);
  const send = (message) => frame.contentWindow.postMessage({ jsonrpc: "2.0", ...message }, "*");
  window.tell = async (params) => {
    const result = await ask("tools/call", params);
    send({ method: "ui/notifications/tool-input", params: { arguments: params.arguments } });
    send({ method: "ui/notifications/tool-result", params: result });
    return result;
  };
  addEventListener("message", async ({ source, data: { id, method, params } }) => {
    if (source !== frame.contentWindow) return;
    if (method === "ui/notifications/initialized") await window.tell(first);
    if (method === "ui/notifications/size-changed") frame.style.height = `${params.height}px`;
    if (id !== undefined) send({ id, result: await ANSWERS[method](params) });
  });
  document.body.replaceChildren(frame);
}

start().then(() => done(null), (error) => done(String(error)));
