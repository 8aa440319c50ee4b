import { Type } from '../../../infra/http/schema/type.ts'
import { defineCommand, record, UsageError, type Input } from '../../command.ts'
import { inHouse } from '../../in-platform.ts'
import type { Deps } from '../../../infra/deps.ts'
import { listKeyStates, retireKeys } from '../../../infra/settings/key-checks.ts'
import { countSealedByKey, resealAll } from '../../reseal/reseal.ts'

const CheckSchema = record({
  ok: Type.Boolean(),
  keys: Type.Array(
    record({
      keyId: Type.String(),
      configured: Type.Boolean(),
      checkOk: Type.Optional(Type.Boolean()),
      retired: Type.Boolean(),
      values: Type.Integer(),
    }),
  ),
})

const ResealedSchema = record({
  ok: Type.Boolean(),
  keyId: Type.String(),
  resealed: Type.Integer(),
  unopened: Type.Integer(),
  parts: Type.Array(
    record({ what: Type.String(), resealed: Type.Integer(), unopened: Type.Integer() }),
  ),
})

const BATCH_DEFAULT = '200'

function batchOf(input: Input): number {
  const text = input.option('batch') ?? BATCH_DEFAULT
  if (!/^[1-9]\d{0,3}$/.test(text))
    throw new UsageError('--batch is a whole number from 1 to 9999.')
  return parseInt(text, 10)
}

/** A key that protects nothing any more may be dropped from the configuration (OPER-84). */
async function retireUnused(deps: Deps): Promise<void> {
  const counts = await countSealedByKey(deps)
  const unused = (await listKeyStates(deps))
    .map(({ keyId }) => keyId)
    .filter((keyId) => keyId !== deps.keyring.newestKeyId && !counts.has(keyId))
  await deps.db.transaction((tx) => retireKeys(tx, unused, deps.clock.now()))
}

const check = defineCommand({
  name: 'keys check',
  access: { roles: ['VIEWER'], scope: 'installation' },
  about: 'Whether each master key is the one of this database, and what it protects.',
  answers: CheckSchema,
  async run(deps) {
    const counts = await countSealedByKey(deps)
    const states = await listKeyStates(deps)
    const keys = states.map(({ keyId, isConfigured, isMatching, isRetired }) => ({
      keyId,
      configured: isConfigured,
      checkOk: isMatching,
      retired: isRetired,
      values: counts.get(keyId) ?? 0,
    }))
    // A retired key may be removed from the settings, and data that it seals would be lost.
    const isSound = keys.every(
      ({ checkOk, retired, values }) => checkOk !== false && !(retired && values > 0),
    )
    return { ok: isSound, keys }
  },
})

const reseal = defineCommand({
  name: 'keys reseal',
  access: { roles: ['ADMIN'], fourEyes: 'always', scope: 'installation', writes: true },
  about:
    'Seal everything that older master keys protect again under the newest. The service may run beside it; a run that was stopped is taken up by the next.',
  options: {
    batch: { about: `Values per transaction (default ${BATCH_DEFAULT}).`, value: 'N' },
  },
  answers: ResealedSchema,
  // It takes many transactions, and changes files.
  validate: async (_, input) => void batchOf(input),
  async run(deps, input) {
    const batchSize = batchOf(input)
    const { newestKeyId: keyId } = deps.keyring
    const action = 'keys reseal'
    await inHouse(deps, { action, resource: keyId }, () => Promise.resolve())
    const done = await resealAll(deps, batchSize)
    await retireUnused(deps)
    const sum = (of: 'resealed' | 'unopened'): number =>
      done.reduce((total, one) => total + one[of], 0)
    return {
      ok: sum('unopened') === 0,
      keyId,
      resealed: sum('resealed'),
      unopened: sum('unopened'),
      parts: done.filter(({ resealed, unopened }) => resealed + unopened > 0),
    }
  },
})

export const keyCommands = { check, reseal }
