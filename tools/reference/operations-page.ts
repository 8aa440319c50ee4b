import type { Operation } from '../../server/src/infra/http/operation.ts'
import { TAGS } from '../../server/src/infra/http/schema/tags.ts'
import { GENERATED, markdownTable } from './markdown-table.ts'

export function operationsPage(operations: readonly Operation[]): string {
  const sections = Object.entries(TAGS).map(([tag, purpose]) => {
    const own = operations.filter((operation) => operation.tag === tag)
    const rows = own.map(({ method, path, needs, summary }) => [
      `\`${method} ${path}\``,
      needs,
      summary,
    ])
    return `## ${tag}\n\n${purpose}\n\n${markdownTable(['operation', 'needs', 'what it does'], rows)}\n`
  })
  return `${GENERATED}

# Operations

${operations.length} operations. A token needs the permission named; \`AGENT\` means an agent's bearer token,
\`NOTHING\` no credentials at all. Fields, types and errors: \`/docs\` of a running service, or
[openapi.json](openapi.json).

${sections.join('\n')}`
}

/** The README's map of the interface: one line per group, each leading to its section of the page above. */
export function operationsMap(operations: readonly Operation[]): string {
  const rows = Object.entries(TAGS).map(([tag, purpose]) => {
    const count = operations.filter((operation) => operation.tag === tag).length
    return [`[${tag}](docs/reference/operations.md#${anchorOf(tag)})`, String(count), purpose]
  })
  return markdownTable(['group', 'operations', 'what it is for'], rows)
}

/** As GitHub makes the anchor of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-')
