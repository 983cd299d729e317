// Browsers do not start workers from local files, so the search of a site copied to a disk runs in a hidden frame
// instead.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.body.append(this.frame);
      const inside = this.frame.contentWindow;
      window.addEventListener("message", this.relay = event => {
        if (event.source !== inside) return;
        const copy = new MessageEvent("message", { data: event.data });
        this.dispatchEvent(copy);
        this.onmessage?.(copy);
      });
      inside.document.open();
      inside.document.write(`<body><script>
        postMessage = data => parent.postMessage(data, "*");
        importScripts = (...urls) => urls.reduce((before, url) => before.then(() => new Promise(done => {
          const script = document.createElement("script");
          script.src = url; script.onload = done; document.body.append(script);
        })), Promise.resolve());
      <\/script><script src="${url}"><\/script></body>`);
      inside.document.close();
      this.loaded = new Promise(done => inside.addEventListener("load", done)); // not earlier: `open` removes listeners
    }
    postMessage(data) {
      this.loaded.then(() => this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data })));
    }
    terminate() {
      window.removeEventListener("message", this.relay);
      this.frame.remove();
    }
  };
}
