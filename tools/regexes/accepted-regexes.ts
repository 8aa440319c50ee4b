// data table
/** Regular expressions that the checker cannot pass, and why each is harmless. */
const SETTING = 'read once at the start, from what the operator configured'
const LOG_TEXT = 'only ever sees the first 8,192 characters of a text: at most a few milliseconds'
const OWN_PAGE = 'runs in the reader’s browser, on our own description of the interface'
const READERS_SAMPLE = 'runs in the reader’s browser, on a sample of what the reader typed'

export const ACCEPTED_REGEXES: Readonly<Record<string, string>> = {
  [String.raw`/\/+$/`]: SETTING,
  [String.raw`/^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)([^?#]*)(?:\?(.*))?$/`]: SETTING,
  [String.raw`/lock file .* already exists|shared memory block|could not create any TCP\/IP sockets/`]:
    'reads lines of our own embedded database',
  [String.raw`/\B(?=(\d{3})+$)/g`]: 'the digits of one amount, at most 16',
  '/0+$/': 'the digits of one number, at most a few dozen',
  [String.raw`/\beyJ[\w-]{5,}\.[\w-]+\.[\w-]*/g`]: LOG_TEXT,
  [String.raw`/(\bKey \(.*?\)=)\(.*\)/g`]: LOG_TEXT,
  [String.raw`/(\bFailing row contains )\(.*\)/gs`]: LOG_TEXT,
  [String.raw`/("(?:\\.|[^"\\])*")(\s*:)?|\b(true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g`]:
    OWN_PAGE,
  [String.raw`/((?<=\s)#[^\n]*|'(?:[^']|'\\'')*'|"(?:\\.|[^"\\])*"|(?<=\s)-{1,2}[A-Za-z]+)/`]:
    READERS_SAMPLE,
  [String.raw`/(\/\*[^]*?\*\/|\/\/[^\n]*)|("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|(\b(?:as|await|const|false|for|from|import|in|new|null|of|with|True|true|False|None)\b)|(\b\d+(?:\.\d+)?\b)/`]:
    READERS_SAMPLE,
  [String.raw`/(\{[^}]+\})/`]: OWN_PAGE,
  ['/`([^`]+)`|' +
  String.raw`\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*|\b_([^_]+)_\b|\[([^\]]+)\]\(([^)\s]+)\)|<(https?:[^>\s]+)>/g`]:
    OWN_PAGE,
  [String.raw`/^(#{1,6})\s+(.*)$/`]: OWN_PAGE,
  [String.raw`/^\s*(?:[-*]|\d+[.)])\s+(.*)$/`]: OWN_PAGE,
  [String.raw`/^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/`]: OWN_PAGE,
  [String.raw`/\{([^}]+)\}/g`]: OWN_PAGE,
}
