// Relative addresses, so that the built page works from any folder of any web server.
export default { base: "./", build: { target: "es2022", chunkSizeWarningLimit: 900 }, worker: { format: "es" } };
