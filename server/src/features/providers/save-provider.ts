import { seal } from '../../crypto/seal.ts'
import { fail, mustHaveNoErrors, type FieldError } from '../../kernel/errors.ts'
import { failNotFound, formatId, mustParseId, parseId, type Id } from '../../kernel/ids.ts'
import { DEFAULT_ENVIRONMENT, isEnvironment } from '../../kernel/platform.ts'
import { overlapOf, type RegisteredProvider } from '../../kernel/ports.ts'
import { announceProviderChange, readProviders } from '../../infra/providers/provider-rows.ts'
import { toProvider } from '../../infra/providers/registry.ts'
import type { Work } from '../../infra/work/work.ts'
import { newSecret } from '../../providers/http/sign-message.ts'
import {
  fieldProblems,
  fieldsOf,
  type GivenFields,
  type KnownNames,
  type ProviderFields,
} from './fields.ts'
import { findPlatformIds, insertProvider, lockRegistrations, updateProviderRow } from './store.ts'

const DEFAULTS: GivenFields = {
  environment: DEFAULT_ENVIRONMENT,
  status: 'ENABLED',
  config: {},
  maxInFlight: 8,
  authorizationDeadlineMs: 2_000,
  paymentThreshold: 0,
}

/** A person needs longer to decide than a bank to answer. */
const WINDOW_SECONDS = 86_400
const IDENTITY_WINDOW_SECONDS = 604_800

const windowOf = ({ ports }: GivenFields): number =>
  Array.isArray(ports) && ports.includes('identity') ? IDENTITY_WINDOW_SECONDS : WINDOW_SECONDS

/** Registers a provider; the secret is shown this once. Fails: INVALID_INPUT, CONFLICT (name taken, or an overlap). */
export async function addProvider(
  work: Work,
  { id, fields }: Readonly<{ id: Id<'provider'>; fields: GivenFields }>,
  known: KnownNames,
): Promise<Readonly<{ provider: RegisteredProvider; secret: string | undefined }>> {
  const { tx, now, keyring } = work
  await lockRegistrations(tx)
  const complete = { ...DEFAULTS, resendWindowSeconds: windowOf(fields), ...fields }
  const checked = await checkFields(work, complete, known)
  const provider = { ...toRegistered(id, checked), createdAt: now, updatedAt: now }
  await refuseOverlap(work, provider)
  const secret = provider.kind === 'http' ? newSecret() : undefined
  await insertProvider(tx, {
    ...provider,
    sealedConfig: sealConfig(work, provider),
    sealedSecret: secret === undefined ? null : seal(keyring, 'provider-secret', secret, id),
    sealedFormerSecret: null,
    formerSecretUntil: null,
  })
  await announce(work, provider)
  return { provider, secret }
}

/** A field that is undefined here is taken back. Open orders stay as they are. Fails: REFERENCE_NOT_FOUND, and as addProvider. */
export async function updateProvider(
  work: Work,
  { id, changes }: Readonly<{ id: Id<'provider'>; changes: GivenFields }>,
  known: KnownNames,
): Promise<RegisteredProvider> {
  const { tx, now } = work
  await lockRegistrations(tx)
  const before = await mustFindProvider(work, id)
  const fields = fieldsOf(before, (platformId) =>
    formatId('platform', platformId as Id<'platform'>),
  )
  const checked = await checkFields(work, { ...fields, ...changes }, known)
  const { createdAt } = before
  const provider = { ...toRegistered(id, checked), createdAt, updatedAt: now }
  await refuseOverlap(work, provider)
  await updateProviderRow(tx, { ...provider, sealedConfig: sealConfig(work, provider) })
  await announce(work, provider)
  return provider
}

async function announce(work: Work, provider: RegisteredProvider): Promise<void> {
  announceProviderChange(work.tx)
  await work.react('providers.saved', { provider })
}

const sealConfig = ({ keyring }: Work, { id, config }: RegisteredProvider): Buffer =>
  seal(keyring, 'provider-config', JSON.stringify(config), id)

async function listRegistered({ tx, keyring }: Work): Promise<RegisteredProvider[]> {
  return (await readProviders(tx)).map((row) => toProvider(keyring, row))
}

export async function mustFindProvider(
  work: Work,
  id: Id<'provider'>,
): Promise<RegisteredProvider> {
  const found = (await listRegistered(work)).find((one) => one.id === id)
  return found ?? failNotFound('provider')
}

async function checkFields(
  work: Work,
  given: GivenFields,
  known: KnownNames,
): Promise<ProviderFields> {
  mustHaveNoErrors([...fieldProblems(given, known), ...(await platformProblems(work, given))])
  return given as ProviderFields
}

async function platformProblems(
  { tx }: Work,
  { platforms, environment }: GivenFields,
): Promise<FieldError[]> {
  if (!Array.isArray(platforms) || !isEnvironment(environment)) return []
  const texts = platforms.map(String)
  const ids = texts.flatMap((text) => parseId('platform', text) ?? [])
  const found = await findPlatformIds(tx, ids, environment)
  return texts
    .filter((text) => !found.some((id) => formatId('platform', id) === text))
    .map((text) => ({ field: 'platforms', message: `${text} is no platform of ${environment}` }))
}

type Fresh = Omit<RegisteredProvider, 'createdAt' | 'updatedAt'>

function toRegistered(id: Id<'provider'>, { platforms, ...fields }: ProviderFields): Fresh {
  const { url, ca, rails, currencies, accountTypes } = fields
  return {
    ...fields,
    id,
    // Paths are put behind it.
    url: url?.replace(/\/+$/, '') ?? null,
    ca: ca ?? null,
    platformIds: platforms?.map((text) => mustParseId('platform', text)) ?? null,
    rails: rails ?? null,
    currencies: currencies ?? null,
    accountTypes: accountTypes ?? null,
    paymentThreshold: BigInt(fields.paymentThreshold),
  }
}

/** For each order exactly one provider is chosen, independent of the order of registration (PROV-6). */
async function refuseOverlap(work: Work, provider: RegisteredProvider): Promise<void> {
  const others = (await listRegistered(work)).filter(({ id }) => id !== provider.id)
  for (const other of others) {
    const providerId = formatId('provider', other.id)
    if (other.name === provider.name) fail('CONFLICT', { providerId, field: 'name' })
    const overlap = overlapOf(provider, other)
    if (overlap) fail('CONFLICT', { providerId, overlap: overlapToWire(overlap) })
  }
}

type Overlap = NonNullable<ReturnType<typeof overlapOf>>

const overlapToWire = ({ platformIds, ...overlap }: Overlap) => ({
  ...overlap,
  ...(platformIds && {
    platforms: platformIds.map((id) => formatId('platform', id as Id<'platform'>)),
  }),
})
