// Two texts compared line by line.

const MOST = 1500; // lines of the part that differs; of more, all is said to differ

// The longest row of lines that both have, by its lengths from each place on.
function lengths(a, b) {
  const rows = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1) rows[i][j] = a[i] === b[j] ? rows[i + 1][j + 1] + 1 : Math.max(rows[i + 1][j], rows[i][j + 1]);
  return rows;
}

/** What changes from one text to another, in the form of a diff: two lines of head, then lines with a sign. */
export function changes(old, next) {
  const a = old.split("\n"), b = next.split("\n");
  let start = 0, end = 0;
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start += 1;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const gone = a.slice(start, a.length - end), come = b.slice(start, b.length - end), out = a.slice(Math.max(0, start - 2), start).map((line) => ` ${line}`);
  if (gone.length > MOST || come.length > MOST) out.push(...gone.map((line) => `-${line}`), ...come.map((line) => `+${line}`));
  else {
    const rows = lengths(gone, come);
    let i = 0, j = 0;
    while (i < gone.length || j < come.length) {
      if (i < gone.length && j < come.length && gone[i] === come[j]) { out.push(` ${gone[i]}`); i += 1; j += 1; }
      else if (j >= come.length || (i < gone.length && rows[i + 1][j] >= rows[i][j + 1])) { out.push(`-${gone[i]}`); i += 1; }
      else { out.push(`+${come[j]}`); j += 1; }
    }
  }
  return ["", "", ...out, ...a.slice(a.length - end, a.length - end + 2).map((line) => ` ${line}`)].join("\n");
}
