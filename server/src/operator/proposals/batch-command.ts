/** Combines many inputs of one command into one, so that a second operator approves all at once (OPER-63). */
import { Type } from '../../infra/http/schema/type.ts'
import { toApiError } from '../../infra/db/statement/constraints.ts'
import type { Deps } from '../../infra/deps.ts'
import { errorToBody } from '../../kernel/errors.ts'
import { defineCommand, record, type Command, type Input } from '../command.ts'
import { readBody } from '../http/command-body.ts'
import { digestOf } from './digest.ts'

/** One input, as it came over HTTP, under its key. */
export type BatchItem = Readonly<{ key: string; fields: Readonly<Record<string, unknown>> }>

const itemsIn = (input: Input): readonly BatchItem[] =>
  input.options('item').map((text) => JSON.parse(text) as BatchItem)

async function runItem(deps: Deps, command: Command, { key, fields }: BatchItem) {
  try {
    const body = await command.run(deps, readBody(command, fields))
    return { key, status: 200, body }
  } catch (error) {
    const refusal = toApiError(error)
    if (refusal.status >= 500) throw error
    return { key, status: refusal.status, body: errorToBody(refusal) }
  }
}

/** Each item succeeds or is refused alone; none is run where any has changed since the proposal. */
export const batchOf = (command: Command) =>
  defineCommand({
    name: `${command.name} batch`,
    access: {
      roles: command.access.roles,
      fourEyes: 'always',
      writes: true,
      actsOn: async (deps, input) => {
        const digests: string[] = []
        for (const { fields } of itemsIn(input))
          digests.push((await digestOf(deps, command, readBody(command, fields))).toString('hex'))
        return digests
      },
    },
    about: `${command.about} Many at a time.`,
    options: { item: { about: 'An input and its key, as JSON.', repeatable: true } },
    answers: record({
      results: Type.Array(
        record({ key: Type.String(), status: Type.Integer(), body: Type.Unknown() }),
      ),
    }),
    async run(deps, input) {
      const results = []
      for (const item of itemsIn(input)) results.push(await runItem(deps, command, item))
      return { results }
    },
  })

export const batchInput = (items: readonly BatchItem[]): Input => {
  const texts = items.map((item) => JSON.stringify(item))
  return {
    args: [],
    option: () => undefined,
    options: (name) => (name === 'item' ? texts : []),
    flag: () => false,
  }
}
