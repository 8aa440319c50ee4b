/** Zero-width and filling characters, tags, invisible operators and controls of the writing direction. */
const INVISIBLE =
  /[\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e007f}]/u
/** Joiners inside a word, which scripts such as Persian and Hindi need. */
const JOINER_IN_WORD =
  /(?<=[\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}])[\u200c\u200d](?=[\p{L}\p{M}\p{Extended_Pictographic}])/gu

/** Whether text has invisible characters, which make it look like another text; joiners inside words are allowed. */
export const hasInvisible = (text: string): boolean =>
  INVISIBLE.test(text) && INVISIBLE.test(text.replace(JOINER_IN_WORD, ''))
