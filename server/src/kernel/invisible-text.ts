/** Zero-width characters, invisible operators and controls of the writing direction. */
const INVISIBLE = /[\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/u
/** Joiners that scripts such as Persian and Hindi need inside a word. */
const JOINER_IN_WORD =
  /(?<=[\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}])[\u200c\u200d](?=[\p{L}\p{M}\p{Extended_Pictographic}])/gu

/** Whether text holds characters that make it look like another text; joiners between letters are ordinary writing. */
export const hasInvisible = (text: string): boolean =>
  INVISIBLE.test(text) && INVISIBLE.test(text.replace(JOINER_IN_WORD, ''))
