/** What a secret looks like inside a text, whatever the text is called (CORE-91). */

/** The shortest text that any pattern below matches: `Basic x`, `agt_x`. */
const SECRET_CHARS_MIN = 5
const TEXT_CHARS_MAX = 8_192
const CARD_GROUPS_MAX = 6

type Pattern = Readonly<{
  /** Text without which the pattern cannot match; finding that out first is far cheaper. */
  needs?: string
  looksLike: RegExp
  shownAs: (match: string, kept: string) => string
}>

const PATTERNS: readonly Pattern[] = [
  {
    needs: '-----BEGIN',
    looksLike: /-----BEGIN [A-Z ]*PRIVATE KEY-----[^]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
    shownAs: () => '[redacted key]',
  },
  {
    looksLike: /\b(basic|bearer)\s+[\w+/=.~-]+/gi,
    shownAs: (_match, scheme) => `${scheme} [redacted]`,
  },
  {
    needs: 'eyJ',
    looksLike: /\beyJ[\w-]{5,}\.[\w-]+\.[\w-]*/g,
    shownAs: () => '[redacted token]',
  },
  { needs: 'agt_', looksLike: /\bagt_[\w-]+/g, shownAs: () => '[redacted token]' },
  {
    // the credentials of an address, as in postgres://user:password@host
    needs: '://',
    looksLike: /(:\/\/[^\s/:@]*):[^\s/@]+@/g,
    shownAs: (_match, user) => `${user}:[redacted]@`,
  },
  {
    needs: '=',
    looksLike: /([?&](?:token|code|secret|signature|key|password|otp)=)[^\s&#"']+/gi,
    shownAs: (_match, name) => `${name}[redacted]`,
  },
  {
    // a link that is a secret as a whole
    needs: '/embed/',
    looksLike: /(\/embed\/[a-z]+\/)[\w-]+/g,
    shownAs: (_match, path) => `${path}[redacted]`,
  },
  {
    // a link to the hosted verification
    needs: '/verify/',
    looksLike: /(\/verify\/)[\w-]{16,}/g,
    shownAs: (_match, path) => `${path}[redacted]`,
  },
  {
    // a code by which a program becomes an agent
    needs: '/device-codes/',
    looksLike: /(\/device-codes\/)[^\s/?#]+/g,
    shownAs: (_match, path) => `${path}[redacted]`,
  },
  {
    // a code by which somebody is invited, and its link
    needs: '/i',
    looksLike: /(\/(?:invitations|i)\/)[^\s/?#]+/g,
    shownAs: (_match, path) => `${path}[redacted]`,
  },
  {
    // the UMA address of a person, as a receiver is looked up by it
    needs: '/receiver/uma/',
    looksLike: /(\/receiver\/uma\/)[^\s/?#]+/g,
    shownAs: (_match, path) => `${path}[redacted]`,
  },
  {
    needs: '-',
    looksLike: /(?<![\w-])\d{3}-\d{2}-\d{4}(?![\w-])/g,
    shownAs: () => '***-**-****',
  },
  { looksLike: /\d(?:[ -]?\d){12,}/g, shownAs: hideCardNumbers },
  // rows that PostgreSQL repeats when they break a constraint
  {
    needs: 'Key (',
    looksLike: /(\bKey \(.*?\)=)\(.*\)/g,
    shownAs: (_match, columns) => `${columns}([redacted])`,
  },
  {
    needs: 'Failing row',
    looksLike: /(\bFailing row contains )\(.*\)/gs,
    shownAs: (_match, words) => `${words}([redacted])`,
  },
]

/** Ids are most of what is logged, and their digits must not be taken for a card's. */
const RESOURCE_ID = /^(?:[A-Za-z]+:)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** A digest or the id of a trace: what the log says of the audit chain is compared with it later (OPER-53). */
const DIGEST = /^(?=\d*[a-f])(?:[0-9a-f]{32}|[0-9a-f]{64})$/

/** One short word: no pattern but that of an agent's token can be in it. */
const SHORT_WORD = /^\w{1,12}$/

export function redactText(text: string): string {
  if (text.length < SECRET_CHARS_MIN || RESOURCE_ID.test(text) || DIGEST.test(text)) return text
  if (SHORT_WORD.test(text) && !text.includes('agt_')) return text
  let shown = text.length > TEXT_CHARS_MAX ? `${text.slice(0, TEXT_CHARS_MAX)}[cut]` : text
  for (const { needs, looksLike, shownAs } of PATTERNS) {
    if (needs === undefined || shown.includes(needs)) shown = shown.replace(looksLike, shownAs)
  }
  return shown
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
