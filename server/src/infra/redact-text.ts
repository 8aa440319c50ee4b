/** What a secret looks like inside a text, whatever the text is called (CORE-91). */

const TEXT_CHARS_MAX = 8_192
const CARD_GROUPS_MAX = 6

type Pattern = Readonly<{ looksLike: RegExp; shownAs: string | ((match: string) => string) }>

const PATTERNS: readonly Pattern[] = [
  {
    looksLike: /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
    shownAs: '[redacted key]',
  },
  { looksLike: /\b(basic|bearer)\s+[\w+/=.~-]+/gi, shownAs: '$1 [redacted]' },
  { looksLike: /\beyJ[\w-]{5,}\.[\w-]+\.[\w-]*/g, shownAs: '[redacted token]' },
  { looksLike: /\bagt_[\w-]+/g, shownAs: '[redacted token]' },
  // the credentials of an address: postgres://user:password@host
  { looksLike: /(\b[a-z][a-z\d+.-]{0,20}:\/\/[^\s/:@]*):[^\s/@]+@/gi, shownAs: '$1:[redacted]@' },
  {
    looksLike: /([?&](?:token|code|secret|signature|key|password|otp)=)[^\s&#"']+/gi,
    shownAs: '$1[redacted]',
  },
  { looksLike: /(?<![\w-])\d{3}-\d{2}-\d{4}(?![\w-])/g, shownAs: '***-**-****' },
  { looksLike: /\d(?:[ -]?\d){12,}/g, shownAs: hideCardNumbers },
  // rows that PostgreSQL repeats when they break a constraint
  { looksLike: /(\bKey \(.*?\)=)\(.*\)/g, shownAs: '$1([redacted])' },
  { looksLike: /(\bFailing row contains )\(.*\)/gs, shownAs: '$1([redacted])' },
]

export function redactText(text: string): string {
  const cut = text.length > TEXT_CHARS_MAX ? `${text.slice(0, TEXT_CHARS_MAX)}[cut]` : text
  return PATTERNS.reduce(
    (shown, { looksLike, shownAs }) =>
      typeof shownAs === 'string'
        ? shown.replace(looksLike, shownAs)
        : shown.replace(looksLike, shownAs),
    cut,
  )
}

/** Hides a run of digit groups that holds a card number, also one that other numbers surround. */
function hideCardNumbers(run: string): string {
  const groups = run.split(/[ -]/)
  for (let first = 0; first < groups.length; first += 1) {
    let digits = ''
    for (const group of groups.slice(first, first + CARD_GROUPS_MAX)) {
      // No card is printed in groups of one or two digits; dates are.
      if (group.length < 3) break
      digits += group
      if (isCardNumber(digits)) return `****${digits.slice(-4)}`
    }
  }
  return run
}

/** 13 to 19 digits that begin as card numbers do and end in the right check digit (Luhn). */
function isCardNumber(digits: string): boolean {
  if (!/^[2-6]\d{12,18}$/.test(digits)) return false
  let sum = 0
  for (let place = 0; place < digits.length; place += 1) {
    const digit = digits.charCodeAt(digits.length - 1 - place) - 48
    const doubled = digit * 2 > 9 ? digit * 2 - 9 : digit * 2
    sum += place % 2 === 0 ? digit : doubled
  }
  return sum % 10 === 0
}
