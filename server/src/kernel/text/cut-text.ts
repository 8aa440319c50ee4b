/** Cuts between characters, because a cut inside a surrogate pair leaves text that PostgreSQL refuses. */
export const firstCharacters = (text: string, count: number): string =>
  [...text].slice(0, count).join('')

/** The last characters, cut in the same way. */
export const lastCharacters = (text: string, count: number): string =>
  [...text].slice(-count).join('')
