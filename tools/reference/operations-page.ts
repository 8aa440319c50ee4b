import type { Operation } from '../../server/src/infra/http/operation.ts'
import { GENERATED, markdownTable } from './markdown-table.ts'

export function operationsPage(operations: readonly Operation[]): string {
  const byTag = Map.groupBy(operations, ({ tag }) => tag)
  const sections = [...byTag].map(([tag, own]) => {
    const rows = own.map(({ method, path, needs, summary }) => [
      `\`${method} ${path}\``,
      needs,
      summary,
    ])
    return `## ${tag}\n\n${markdownTable(['operation', 'needs', 'what it does'], rows)}\n`
  })
  return `${GENERATED}

# Operations

${operations.length} operations. A token needs the permission named; \`AGENT\` means an agent's bearer token,
\`NOTHING\` no credentials at all. Fields, types and errors: \`/docs\` of a running service, or
[openapi.json](openapi.json).

${sections.join('\n')}`
}
