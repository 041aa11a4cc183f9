// Passes HTML through JupyterLab's sanitizer, as an output of a notebook that is not trusted.
//
//	node sanitize.mjs <dirty.html
//
// Prints {"html": what is left, "changes": [[before, after], ...]}: where the parsed trees differ, at most ten of them. Space between
// elements, quoting and the order of attributes do not count. It runs in a folder with node_modules.
import { copyFileSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const require = createRequire(path.join(process.cwd(), "package.json"));
const lib = path.join(process.cwd(), "node_modules/@jupyterlab/apputils/lib");
// The package's modules are ES modules, which node before version 20 knows by their name only.
copyFileSync(path.join(lib, "sanitizer.js"), path.join(lib, "sanitizer.mjs"));
const { Sanitizer } = await import(path.join(lib, "sanitizer.mjs"));
const sanitizeHTML = require.resolve("sanitize-html");
const { Parser } = createRequire(sanitizeHTML)("htmlparser2");

// The tree as a list of its tags and texts.
function tokens(html) {
	const list = [];
	let text = "";
	const flush = () => {
		text = text.replace(/[ \t\r\n]+/g, " ").trim();
		if (text) list.push(text);
		text = "";
	};
	const parser = new Parser({
		onopentag(name, attributes) {
			flush();
			if (attributes.style !== undefined)
				attributes.style = attributes.style.split(";").map(s => s.trim().replace(/\s*:\s*/, ":")).filter(Boolean).join(";");
			list.push("<" + name + Object.keys(attributes).sort().map(k => ` ${k}=${JSON.stringify(attributes[k])}`).join("") + ">");
		},
		ontext(t) { text += t; },
		onclosetag(name) { flush(); list.push("</" + name + ">"); },
	});
	parser.end(html);
	flush();
	return list;
}

const dirty = readFileSync(0, "utf8");
const html = new Sanitizer().sanitize(dirty);
const before = tokens(dirty), after = tokens(html), changes = [];
for (let i = 0; i < Math.max(before.length, after.length) && changes.length < 10; i++)
	if (before[i] !== after[i]) changes.push([before[i] ?? "", after[i] ?? ""]);
process.stdout.write(JSON.stringify({ html, changes }));
