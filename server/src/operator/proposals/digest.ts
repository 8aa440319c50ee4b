import { createHash } from 'node:crypto'
import { parseAnyId } from '../../kernel/ids.ts'
import type { Deps } from '../../infra/deps.ts'
import type { Command, Given } from '../command.ts'
import { versionOf } from './resource-store.ts'
import { storeInput } from './stored-input.ts'

/** The state of the resources that a command names; undefined where it names none that exists. */
async function stateOf(deps: Deps, { access }: Command, given: Given): Promise<unknown> {
  if (access.actsOn) return access.actsOn(deps, given)
  const named = given.words.flatMap((word) => parseAnyId(word) ?? [])
  const versions = await Promise.all(named.map((one) => versionOf(deps.db.read, one)))
  return versions.flat().length > 0 ? versions.flat() : undefined
}

/**
 * A digest of what a command acts on, which differs once that has changed (OPER-25). A command that names no existing
 * resource is identified by its whole input.
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
