/** Lines of CSV files (RFC 4180) that a spreadsheet shows and never runs (OPER-121). */

const NUMBER = /^-?\d+(\.\d+)?$/

/** A cell that begins like a formula gets an apostrophe before it; a number is none. */
const harmless = (text: string): string =>
  /^[=+\-@\t\r]/.test(text) && !NUMBER.test(text) ? `'${text}` : text

const quoted = (text: string): string =>
  /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text

export const csvLine = (cells: readonly string[]): string =>
  `${cells.map((cell) => quoted(harmless(cell))).join(',')}\r\n`
