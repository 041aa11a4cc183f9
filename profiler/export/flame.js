// Draws the tree of stacks that stands in the page as data. No names of the profile are in this text.
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const $ = id => document.getElementById(id);
const height = 20;
const thinnest = 0.7; // pixels
const kinds = {
	call: ["#9ecbff", "line that runs"], builtin: ["#9fdfa8", "np, and other functions"], function: ["#c9b8ff", "compiled function"],
	loop: ["#e3c7ff", "node that runs a graph"], line: ["#bfe0ff", "line that made nodes"], node: ["#ffc17a", "node"],
	part: ["#ffdfae", "operation of a fused node"], rest: ["#c9ccd1", "beside nodes, or of no line"],
};

// What changed: widths are of the run after, colours say how it differs from the run before.
const changes = {
	slower: ["slower, or more bytes"], faster: ["faster, or fewer bytes"], new: ["new"], "": ["same, or within chance"], gone: ["gone: listed below"],
};
// Colours go from grey by the part that changed, all of it at a half.
const mixed = (to, part) => {
	const from = [201, 204, 209], by = Math.min(1, 2 * part);
	return `rgb(${from.map((v, i) => Math.round(v + (to[i] - v) * by)).join()})`;
};
const red = [255, 122, 110], blue = [110, 178, 255];
const changeColour = f => {
	const now = valueOf(f), was = wasOf(f), part = Math.abs(now - was) / Math.max(now, was);
	switch (f.states[measure]) {
	case "slower": return mixed(red, part);
	case "faster": return mixed(blue, part);
	case "new": return mixed(red, 1);
	}
	return mixed(red, 0);
};
const wasOf = f => f.before[measure] ?? 0;
const changeOf = f => {
	const now = valueOf(f), was = wasOf(f);
	switch (f.states[measure]) {
	case "new": return ", new";
	case "gone": return `gone, was ${human(was)}`;
	}
	if (was === 0) return "";
	const part = 100 * (now - was) / was;
	return `, was ${human(was)}, ${part < 0 ? "\u2212" : "+"}${Math.abs(part).toFixed(1)}\u00a0%, ${f.states[measure] || "same"}`;
};

// A frame is a list in the data: its name and kind as numbers, its values by measure, the frames in it;
// where runs are compared its values before, and what it is by measure.
const read = ([name, kind, values, inside, before, states], outer) => {
	const f = { name: data.names[name], kind: data.kinds[kind], values, outer, before, states };
	f.inside = inside.map(i => read(i, f));
	return f;
};
const root = read(data.root, null);
root.name = "all";
let zoom = root, measure = 0, focused = root, pattern = "";

const digits = v => {
	const size = Math.abs(v);
	if (size === 0) return "0";
	if (size >= 99.95) return String(Math.round(v)).replace(/\B(?=(\d{3})+$)/g, "\u2009");
	return v.toFixed(size >= 9.995 ? 1 : size >= 0.9995 ? 2 : 3);
};
const human = v => {
	const sizes = data.measures[measure].sizes;
	const s = sizes.find(s => v >= s.size) ?? sizes.at(-1);
	return digits(v / s.size) + "\u00a0" + s.name;
};
const valueOf = f => f.values[measure] ?? 0;
const ownOf = f => Math.max(0, valueOf(f) - f.inside.reduce((sum, i) => sum + valueOf(i), 0));
const percent = (f, of) => valueOf(of) > 0 ? (100 * valueOf(f) / valueOf(of)).toFixed(1) + "\u00a0%" : "";
const matches = f => pattern !== "" && f.name.toLowerCase().includes(pattern);
const describe = f => {
	let text = `${f.name}: ${human(valueOf(f))}, ${percent(f, root)} of all`;
	if (data.was !== undefined) text += changeOf(f);
	if (zoom !== root) text += `, ${percent(f, zoom)} of what is shown`;
	const own = ownOf(f);
	if (f.inside.length > 0 && own > 1e-6 * valueOf(f)) text += `; ${human(own)} of its own`;
	return text;
};

const buttons = new Map();
function show(f, left, width, level, outer) {
	const b = document.createElement("button");
	b.style.left = left + "px";
	b.style.width = width + "px";
	b.style.top = level * height + "px";
	b.style.background = data.was !== undefined ? changeColour(f) : f === root ? "#e4e6ea" : kinds[f.kind][0];
	if (width > 16) b.textContent = (f.states?.[measure] === "new" ? "new: " : "") + f.name;
	else b.style.padding = "0";
	b.className = (outer ? "outer " : "") + (matches(f) ? "match" : "");
	b.setAttribute("role", "treeitem");
	b.setAttribute("aria-level", level + 1);
	b.setAttribute("aria-label", describe(f));
	b.tabIndex = f === focused ? 0 : -1;
	b.addEventListener("click", () => zoomTo(f));
	b.addEventListener("focus", () => { focus(f); });
	b.addEventListener("mouseenter", () => { $("detail").textContent = describe(f); });
	buttons.set(f, b);
	$("graph").append(b);
}
function draw() {
	const width = $("graph").clientWidth;
	$("graph").replaceChildren();
	buttons.clear();
	let level = 0, deepest = 0;
	const outer = [];
	for (let f = zoom.outer; f; f = f.outer) outer.unshift(f);
	for (const f of outer) show(f, 0, width, level++, true);
	const within = (f, left, level) => {
		const wide = width * valueOf(f) / valueOf(zoom);
		if (!(wide >= thinnest)) return;
		show(f, left, wide, level, false);
		deepest = Math.max(deepest, level);
		for (const i of [...f.inside].sort((a, b) => valueOf(b) - valueOf(a))) {
			within(i, left, level + 1);
			left += width * valueOf(i) / valueOf(zoom);
		}
	};
	if (valueOf(zoom) > 0) within(zoom, 0, level);
	$("graph").style.height = (deepest + 1) * height + "px";
	if (!buttons.has(focused)) focused = zoom;
	const b = buttons.get(focused);
	if (b) b.tabIndex = 0;
	$("detail").textContent = describe(focused);
	found();
	listGone();
}
// What there is no more, the dearest first, with the frames around it.
function listGone() {
	if (data.was === undefined) return;
	const list = [];
	const look = (f, path) => {
		if (f.states[measure] === "gone") {
			if (wasOf(f) > 0) list.push([f, path]);
		} else for (const i of f.inside) look(i, f === root ? [] : [...path, f.name]);
	};
	look(zoom, []);
	list.sort(([a], [b]) => wasOf(b) - wasOf(a));
	$("gone").replaceChildren(...list.slice(0, 20).map(([f, path]) => {
		const row = document.createElement("li");
		row.textContent = `${f.name}: ${changeOf(f)}` + (path.length > 0 ? `, in ${path.at(-1)}` : "");
		return row;
	}));
	const rest = list.slice(20).reduce((sum, [f]) => sum + wasOf(f), 0);
	if (rest > 0) {
		const row = document.createElement("li");
		row.textContent = `and ${list.length - 20} more, ${human(rest)}`;
		$("gone").append(row);
	}
	$("went").hidden = list.length === 0;
}
function focus(f) {
	const before = buttons.get(focused);
	if (before) before.tabIndex = -1;
	focused = f;
	const b = buttons.get(f);
	if (b) b.tabIndex = 0;
	$("detail").textContent = describe(f);
}
function zoomTo(f) {
	zoom = focused = f;
	draw();
	buttons.get(f)?.focus();
}
// What matches inside of what matches counts once.
function found() {
	const sum = f => matches(f) ? valueOf(f) : f.inside.reduce((s, i) => s + sum(i), 0);
	const v = sum(zoom);
	$("found").textContent = pattern === "" ? "" : `${human(v)}, ${valueOf(zoom) > 0 ? (100 * v / valueOf(zoom)).toFixed(1) : 0}\u00a0% matches`;
}
function measureBy(i) {
	measure = i;
	[...$("measures").children].forEach((b, k) => b.setAttribute("aria-pressed", k === i));
	if (!(valueOf(zoom) > 0)) zoom = focused = root;
	draw();
}
data.measures.forEach((m, i) => {
	const b = document.createElement("button");
	b.textContent = m.name;
	b.addEventListener("click", () => measureBy(i));
	$("measures").append(b);
});
const legend = data.was === undefined
	? Object.entries(kinds).filter(([kind]) => data.kinds.includes(kind)).map(([, [colour, about]]) => [about, colour])
	: Object.entries(changes).map(([state, [about]]) => [about, state === "" ? mixed(red, 0) : state === "faster" ? mixed(blue, 1) : state === "gone" ? "transparent" : mixed(red, 1)]);
for (const [about, colour] of legend) {
	const s = document.createElement("span");
	s.textContent = about;
	s.style.background = colour;
	if (colour === "transparent") s.style.color = "inherit";
	$("legend").append(s);
}
$("search").addEventListener("input", e => {
	pattern = e.target.value.trim().toLowerCase();
	draw();
});

const shown = list => list.filter(f => buttons.has(f)).sort((a, b) => valueOf(b) - valueOf(a));
const beside = by => {
	const list = focused.outer ? shown(focused.outer.inside) : [focused];
	return list[list.indexOf(focused) + by];
};
const keys = {
	ArrowDown: () => shown(focused.inside)[0],
	ArrowUp: () => focused.outer,
	ArrowRight: () => beside(1),
	ArrowLeft: () => beside(-1),
	Home: () => root,
};
document.addEventListener("keydown", e => {
	if (e.ctrlKey || e.metaKey || e.altKey) return;
	if (e.target === $("search")) {
		if (e.key === "Escape" || e.key === "Enter") buttons.get(focused)?.focus();
		return;
	}
	if (keys[e.key]) {
		const to = keys[e.key]();
		if (to && buttons.has(to)) buttons.get(to).focus();
	} else if (e.key === "Escape") zoomTo(zoom.outer ?? root);
	else if (e.key === "/") $("search").focus();
	else if (e.key === "m") measureBy((measure + 1) % data.measures.length);
	else return;
	e.preventDefault();
});
addEventListener("resize", draw);
if (data.measures.length > 0) measureBy(0);
else $("detail").textContent = "Nothing was measured.";
