/** A cut between UTF-16 units can leave half of a rare character, which no database and no reader takes. */
export const firstCharacters = (text: string, count: number): string =>
  [...text].slice(0, count).join('')

/** The end of a text, by characters as well. */
export const lastCharacters = (text: string, count: number): string =>
  [...text].slice(-count).join('')
