/** The API in one page for programs that read before they write, in the form of llmstxt.org (CORE-88). */
import { guideSections } from './guides/contents.ts'

type Operation = Readonly<{
  operationId: string
  tags: readonly string[]
  summary: string
  description: string
  deprecated?: boolean
}>
type Description = Readonly<{
  info: Readonly<{ title: string; summary: string; description: string }>
  servers: readonly Readonly<{ url: string }>[]
  tags: readonly Readonly<{ name: string; description: string }>[]
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  webhooks: Readonly<Record<string, Readonly<{ post: Readonly<{ summary: string }> }>>>
}>

/** Links lead to `/docs`, where guides are served as they were written. */
export function llmsText(openApi: unknown): string {
  const { info, servers, tags, paths, webhooks } = openApi as Description
  const serverUrl = servers[0]?.url ?? ''
  const rootUrl = serverUrl.replace(/\/[^/]*$/, '')
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      route: `${method.toUpperCase()} ${path}`,
    })),
  )
  const operationLine = (operation: (typeof operations)[number]): string => {
    const { operationId, summary, description, route, deprecated = false } = operation
    const mark = deprecated ? ' Deprecated.' : ''
    return `- [${summary}](${rootUrl}/docs#${operationId}): \`${route}\`.${mark} ${firstSentence(description)}`
  }
  const guides = guideSections().flatMap(({ title, pages }) =>
    section(
      title,
      pages.map((page) => guideLine(page, rootUrl)),
    ),
  )
  const groups = tags.flatMap(({ name, description }) => {
    const own = operations.filter((operation) => operation.tags.includes(name))
    return section(name, [description, '', ...own.map(operationLine)])
  })
  const events = Object.entries(webhooks).map(
    ([type, { post }]) => `- \`${type}\`: ${post.summary}`,
  )
  return [
    `# ${info.title}`,
    '',
    `> ${info.summary}`,
    '',
    `Base address: ${serverUrl}`,
    '',
    info.description,
    ...section('Description', [
      `- [openapi.json](${rootUrl}/openapi.json): every operation, field, error code and webhook, OpenAPI 3.1.`,
      `- [openapi.yaml](${rootUrl}/openapi.yaml): the same as YAML.`,
      `- [Reference](${rootUrl}/docs): the same to browse and to try.`,
    ]),
    ...guides,
    ...groups,
    ...section('Webhook events', events),
    '',
  ].join('\n')
}

const section = (title: string, lines: readonly string[]): string[] => [
  '',
  `## ${title}`,
  '',
  ...lines,
]

function guideLine(
  { route, text }: Readonly<{ route: string; text: string }>,
  rootUrl: string,
): string {
  const [, title = route] = /^# (.+)$/m.exec(text) ?? []
  const opening = text.split(/\n{2,}/).find((paragraph) => !NO_PROSE.test(paragraph)) ?? ''
  const sentence = firstSentence(opening.replaceAll('\n', ' ').trim())
  return `- [${title}](${rootUrl}/docs${route}.md)${sentence === '' ? '' : `: ${sentence}`}`
}

/** Begins a heading, a comment, a table, a block of code or a list. */
const NO_PROSE = /^(?:#|<|\||```|- )/

/** Up to the first full stop that ends a sentence, without the links in it. */
function firstSentence(text: string): string {
  const plain = text.replaceAll(/\[([^[\]]*)\]\([^()]*\)/g, '$1')
  return /^.*?[.!?](?=\s|$)/.exec(plain)?.[0] ?? plain.replace(/:$/, '.')
}
