import { createHash } from 'node:crypto'
import { parseAnyId } from '../../kernel/ids.ts'
import type { Deps } from '../../infra/deps.ts'
import type { Command, Given } from '../command.ts'
import { versionOf } from './resource-store.ts'
import { storeInput } from './stored-input.ts'

/** Undefined where the command names nothing that is there: it acts on what it makes. */
async function stateOf(deps: Deps, { access }: Command, given: Given): Promise<unknown> {
  if (access.actsOn) return access.actsOn(deps, given)
  const named = given.words.flatMap((word) => parseAnyId(word) ?? [])
  const versions = await Promise.all(named.map((one) => versionOf(deps.db.read, one)))
  return versions.flat().length > 0 ? versions.flat() : undefined
}

/**
 * Of what a command would act on: another one as soon as that has changed (OPER-25). What names no resource is told
 * apart by all that it is given.
 */
export async function digestOf(deps: Deps, command: Command, given: Given): Promise<Buffer> {
  const state = await stateOf(deps, command, given)
  const { words, options, contents } = await storeInput(command, given)
  const isNamed = state !== undefined && words.length > 0
  const text = JSON.stringify(
    [command.name, words, state, isNamed ? undefined : [options, contents]],
    (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value),
  )
  return createHash('sha256').update(text).digest()
}
