import { dataSchemaOf, EVENT_TYPES, EVENTS } from '../../server/src/webhooks/event-types.ts'
import { GENERATED, markdownTable } from './markdown-table.ts'

export function webhooksPage(): string {
  return `${GENERATED}

# Webhook types

A delivery is \`{id, type, timestamp, data}\`; \`data\` is the resource as GET would have answered right after the
change. How they are signed, retried and ordered: [webhooks](../concepts/webhooks.md).

${markdownTable(
  ['type', 'sent when', 'data'],
  EVENT_TYPES.map((type) => [`\`${type}\``, EVENTS[type], dataSchemaOf(type) ?? '`{}`']),
)}
`
}
