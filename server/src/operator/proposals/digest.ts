import { createHash } from 'node:crypto'
import { parseAnyId } from '../../kernel/ids.ts'
import type { Deps } from '../../infra/deps.ts'
import type { Command, Input } from '../command.ts'
import { versionOf } from './resource-store.ts'
import { storeInput } from './stored-input.ts'

/** The state of the resources that a command names; undefined where it names none that exists. */
async function stateOf(deps: Deps, { access }: Command, input: Input): Promise<unknown> {
  if (access.actsOn) return access.actsOn(deps, input)
  const named = input.args.flatMap((word) => parseAnyId(word) ?? [])
  const versions = await Promise.all(named.map((one) => versionOf(deps.db.read, one)))
  return versions.flat().length > 0 ? versions.flat() : undefined
}

/**
 * A digest of what a command acts on, which differs once that has changed (OPER-25). A command that names no existing
 * resource is identified by its whole input.
 */
export async function digestOf(deps: Deps, command: Command, input: Input): Promise<Buffer> {
  const state = await stateOf(deps, command, input)
  const { words, options, contents } = await storeInput(command, input)
  const isNamed = state !== undefined && words.length > 0
  const text = JSON.stringify(
    [command.name, words, state, isNamed ? undefined : [options, contents]],
    (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value),
  )
  return createHash('sha256').update(text).digest()
}
