// Headers sort their tables, and the field at the top hides the rows without its text. No names of the profile are in this text.
"use strict";
const value = td => td.innerText.replace(/\u00a0|\s/g, "");
const compare = (a, b) => {
	const x = parseFloat(value(a)), y = parseFloat(value(b));
	if (isNaN(x) || isNaN(y)) return isNaN(x) - isNaN(y) || value(a).localeCompare(value(b));
	return x - y;
};
const rowsOf = table => [...table.rows].filter(r => r.cells[0]?.tagName === "TD");
for (const table of document.querySelectorAll("table")) {
	if (!table.querySelector("th") || rowsOf(table).length < 2) continue;
	table.classList.add("sorts");
	table.querySelectorAll("th").forEach((th, column) => th.addEventListener("click", () => {
		const rows = rowsOf(table);
		const numbers = rows.some(r => !isNaN(parseFloat(value(r.cells[column]))));
		// Numbers sort the largest first, names from a to z; a second click turns it round.
		const down = th.ariaSort ? th.ariaSort === "ascending" : numbers;
		for (const other of table.querySelectorAll("th")) other.removeAttribute("aria-sort");
		th.setAttribute("aria-sort", down ? "descending" : "ascending");
		rows.sort((a, b) => (down ? -1 : 1) * compare(a.cells[column], b.cells[column]));
		for (const r of rows) r.parentNode.append(r);
	}));
}
document.querySelector("input").addEventListener("input", e => {
	const text = e.target.value.toLowerCase();
	for (const table of document.querySelectorAll("table"))
		for (const r of rowsOf(table)) r.hidden = !r.innerText.toLowerCase().includes(text) && !r.closest("summary");
});
