import { redact, REDACTED } from '../../../server/src/infra/logging/redact.ts'
import { redactText } from '../../../server/src/infra/logging/redact-text.ts'

const ITEMS_MAX = 3

/** What the tests make up, and a reader has to see. */
const MADE_UP = /^(?:identifier|taxId|documentNumber)$/
const CODE = /^(?:code|invitationCode)$/
/** Of the sandbox, in the open. */
const SANDBOX_CODE = /^\d{6}$/
const LINK = /^https?:\/\//

/** As in the log, but for what is made up; without the addresses of the machine, and with short lists. */
export function presentable(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return presentableText(value, name)
  if (Array.isArray(value)) return value.slice(0, ITEMS_MAX).map((item) => presentable(item, name))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, presentable(part, key)]),
  )
}

function presentableText(value: string, name: string): string {
  const { [name]: logged } = redact({ [name]: value }) as Record<string, unknown>
  if (MADE_UP.test(name) || name === 'message') return withoutPlaces(value)
  if (logged !== REDACTED || LINK.test(value)) return withoutPlaces(redactText(value))
  if (!CODE.test(name)) return REDACTED
  return SANDBOX_CODE.test(value)
    ? value
    : value.replaceAll(/[A-Za-z]/g, 'X').replaceAll(/\d/g, '0')
}

const withoutPlaces = (value: string): string =>
  value
    .replaceAll(/https?:\/\/(?:127\.0\.0\.1|localhost)(?::\d+)?/g, 'https://pay.example.com')
    .replaceAll('127.0.0.1', '203.0.113.7')
    .replaceAll('localhost', 'pay.example.com')
