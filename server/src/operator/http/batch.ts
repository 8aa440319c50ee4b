/** Many of one command in one request: each by itself, under a key of its own (OPER-63). */
import { createHash } from 'node:crypto'
import { failFields, type FieldError } from '../../kernel/errors.ts'
import type { Caller } from '../../kernel/access/operator.ts'
import { toApiError } from '../../infra/db/statement/constraints.ts'
import type { Deps } from '../../infra/deps.ts'
import { errorReply } from '../../infra/http/error-reply.ts'
import { reply, type Reply } from '../../infra/http/reply.ts'
import { mayCall } from '../access/may-run.ts'
import type { Command } from '../command.ts'
import { keyedBy, runOnce } from './answer-request.ts'
import { readBody } from './command-body.ts'

const ITEMS_MAX = 500
const KEY = /^[\x20-\x7e]{1,255}$/

type Item = Readonly<{ key: string; fields: Readonly<Record<string, unknown>> }>

function readItems(body: unknown): Item[] {
  const { items } = (body ?? {}) as { items?: unknown }
  if (!Array.isArray(items) || items.length < 1 || items.length > ITEMS_MAX)
    return failFields([{ field: 'items', message: `must be a list of 1 to ${ITEMS_MAX}` }])
  const seen = new Set<unknown>()
  const errors: FieldError[] = []
  const read = items.map((item: unknown, index) => {
    const { key, ...fields } = (item ?? {}) as Readonly<Record<string, unknown>>
    const field = `items.${index}.key`
    if (typeof key !== 'string' || !KEY.test(key))
      errors.push({ field, message: 'must be 1 to 255 printable ASCII characters' })
    else if (seen.has(key)) errors.push({ field, message: 'stands in this batch twice' })
    seen.add(key)
    return { key: String(key), fields }
  })
  return errors.length > 0 ? failFields(errors) : read
}

/** One after the other, each in a transaction of its own: what is done when the process ends stays done, under its key. */
export async function answerBatch(
  deps: Deps & Readonly<{ operator: Caller }>,
  command: Command,
  body: unknown,
): Promise<Reply> {
  mayCall(deps.operator, command)
  const results = []
  for (const { key, fields } of readItems(body)) {
    const fingerprint = createHash('sha256')
      .update(`${command.name}\n${JSON.stringify(fields)}`)
      .digest()
    const keyed = keyedBy(deps.operator, { key, fingerprint })
    const { status, body: answered } = await answerItem(deps, command, { fields, keyed })
    results.push({ key, status, body: answered })
  }
  return reply(200, { results })
}

type Asked = Readonly<{ fields: Item['fields']; keyed: ReturnType<typeof keyedBy> }>

/** A refusal, or an outage, is the answer of the one item. */
async function answerItem(deps: Deps, command: Command, { fields, keyed }: Asked): Promise<Reply> {
  try {
    return await runOnce(deps, command, { given: readBody(command, fields), keyed })
  } catch (error) {
    return errorReply(toApiError(error as Error))
  }
}
