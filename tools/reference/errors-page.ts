import { ERRORS, RESERVED_CODES, type ErrorCode } from '../../server/src/kernel/errors.ts'
import {
  OPERATOR_REASONS,
  REASONS,
  type Reasons,
} from '../../server/src/infra/http/schema/field-docs/refusal-reasons.ts'
import { GENERATED, markdownTable } from './markdown-table.ts'

const RETRY = {
  never: 'change the request first',
  same: 'repeat it as it is',
  later: 'repeat it after `Retry-After`',
} as const

export function errorsPage(): string {
  const codes = Object.keys(ERRORS) as ErrorCode[]
  const rows = codes
    .toSorted((a, b) => ERRORS[a].status - ERRORS[b].status)
    .map((code) => {
      const { status, message, retry } = ERRORS[code]
      const reserved = (RESERVED_CODES as Readonly<Record<string, string>>)[code]
      return [
        `\`${code}\``,
        String(status),
        reserved ? `${message} (${reserved})` : message,
        RETRY[retry],
      ]
    })
  return `${GENERATED}

# Error codes

Every answer from 400 up is \`{status, code, message, details?}\`. Rely on \`code\`, \`status\` and the \`details\`
that are documented; the sentence may change.

${markdownTable(['code', 'status', 'meaning', 'what to do'], rows)}

## Reasons

Where a code has several causes, \`details.reason\` names the one. A text with blanks in it is for people, and may change.

${reasonsTable(REASONS)}

To operators, on the command line and over HTTP, and to providers also:

${reasonsTable(OPERATOR_REASONS)}
`
}

const reasonsTable = (reasons: Reasons): string =>
  markdownTable(
    ['code', 'reason', 'meaning'],
    Object.entries(reasons).flatMap(([code, ofCode]) =>
      Object.entries(ofCode).map(([reason, meaning]) => [`\`${code}\``, `\`${reason}\``, meaning]),
    ),
  )
