/** Text that is HTML and is not escaped again. */
export type Html = Readonly<{ html: string }>

type Value = string | Html | readonly Html[]

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (char) => ESCAPES[char] ?? char)

function textOf(value: Value): string {
  if (typeof value === 'string') return escaped(value)
  return 'html' in value ? value.html : value.map(({ html }) => html).join('')
}

const UNESCAPES = Object.fromEntries(Object.entries(ESCAPES).map(([char, text]) => [text, char]))

/** What is read on the page. */
export const plainText = ({ html: text }: Html): string =>
  text
    .replaceAll(/<[^<>]*>/g, '')
    .replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (escape) => UNESCAPES[escape] ?? escape)
    .replaceAll(/\s+/g, ' ')
    .trim()

/** Builds HTML: every value is escaped, unless it is HTML itself (ERR-5). */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  const parts = strings.map((text, index) => {
    const value = values[index]
    return value === undefined ? text : `${text}${textOf(value)}`
  })
  return { html: parts.join('') }
}
