import { Type } from '../../../infra/http/schema/type.ts'
import { idField, oneOf, timestamp } from '../../../infra/http/schema/wire-schema.ts'
import type { Deps } from '../../../infra/deps.ts'
import type { Work } from '../../../infra/work/work.ts'
import { findBuiltIn } from '../../../infra/providers/built-in.ts'
import { findPlatform } from '../../../infra/platforms.ts'
import { ACCOUNT_TYPE_NAMES } from '../../../features/external-accounts/index.ts'
import {
  addProvider,
  INBOUND_PATHS,
  inboundUrl,
  isGranted,
  providerFields,
  providerToWire,
  removeProvider,
  rotateSecret,
  updateProvider,
} from '../../../features/providers/index.ts'
import { addMs, DAY_MS, HOUR_MS, toWireTime } from '../../../kernel/clock.ts'
import { amountToWire } from '../../../kernel/money/wire-money.ts'
import {
  readCallFigures,
  readFigures,
  sumOutsideFees,
  type ProviderFigures,
} from '../../../orders/index.ts'
import {
  failNotFound,
  formatId,
  mustParseId,
  newId,
  parseId,
  type Id,
} from '../../../kernel/ids.ts'
import { PORTS, type Provider, type RegisteredProvider } from '../../../kernel/ports.ts'
import {
  choiceOf,
  defineCommand,
  onlyArg,
  record,
  type Access,
  type FourEyes,
  type Input,
  type Option,
} from '../../command.ts'
import { inHouse } from '../../in-platform.ts'
import { versionOf } from '../../proposals/resource-store.ts'
import { environmentOf } from '../environment.ts'
import { fieldsFrom, SHARED_OPTIONS } from './options.ts'

const known = { accountTypes: ACCOUNT_TYPE_NAMES }
const ProviderSchema = record(providerFields)

type Change = Readonly<{ action: string; id: Id<'provider'> }>

/** In force in this process when it returns, and in every other one within seconds (PROV-1). */
async function change<T>(
  deps: Deps,
  { action, id }: Change,
  body: (work: Work) => Promise<T>,
): Promise<T> {
  const result = await inHouse(deps, { action, resource: formatId('provider', id) }, body)
  await deps.providers.refresh()
  return result
}

/** By its id or its name. */
function registeredBy(deps: Deps, word: string): RegisteredProvider | undefined {
  const id = parseId('provider', word)
  return deps.providers.registered().find((one) => one.id === id || one.name === word)
}

const idGiven = (deps: Deps, input: Input): Id<'provider'> =>
  (registeredBy(deps, onlyArg(input, 'provider')) ?? failNotFound('provider')).id

const ACCESS: Access = {
  roles: ['ADMIN'],
  fourEyes: 'always',
  scope: 'installation',
  writes: true,
}

const ON_PROVIDER: Access = {
  ...ACCESS,
  actsOn: (deps, input) => versionOf(deps.db.read, { kind: 'provider', id: idGiven(deps, input) }),
  environmentFor: async (deps, input) =>
    (registeredBy(deps, onlyArg(input, 'provider')) ?? failNotFound('provider')).environment,
}

const add = defineCommand({
  name: 'providers add',
  access: { ...ACCESS, environmentFor: async (_, input) => environmentOf(input) },
  about:
    'Register who answers for ports. Prints the secret of an http provider, once, and the addresses that it may call.',
  options: {
    name: { about: 'Its name among the operators.', value: 'NAME', required: true },
    kind: { about: 'http, manual or, in SANDBOX, sandbox.', value: 'KIND', required: true },
    ports: { about: `Some of ${PORTS.join(',')}.`, value: 'LIST', required: true },
    environment: { about: 'PRODUCTION (default) or SANDBOX.', value: 'NAME' },
    ...SHARED_OPTIONS,
  },
  showsOnce: ['secret'],
  answers: record({
    ...providerFields,
    secret: Type.Optional(Type.String()),
    inboundUrls: Type.Array(Type.String()),
  }),
  async run(deps, input) {
    const [id, fields] = [newId('provider'), await fieldsFrom(input)]
    const { provider, secret } = await change(deps, { action: 'providers add', id }, (work) =>
      addProvider(work, { id, fields }, known),
    )
    const paths = INBOUND_PATHS.filter((path) => isGranted(path, provider.ports))
    const { publicUrl } = deps.settings
    return {
      ...providerToWire(provider),
      ...(secret !== undefined && { secret }),
      inboundUrls: secret
        ? paths.map((path) => inboundUrl(publicUrl, formatId('provider', id), path))
        : [],
    }
  },
})

const UPDATE_OPTIONS: Readonly<Record<string, Option>> = {
  name: { about: 'Its new name.', value: 'NAME' },
  ports: { about: `Some of ${PORTS.join(',')}.`, value: 'LIST' },
  status: { about: 'ENABLED, or PAUSED: it is sent nothing new.', value: 'STATUS' },
  ...SHARED_OPTIONS,
}

/** To stop a provider takes one operator. */
async function fourEyesOfUpdate(_: Deps, input: Input): Promise<FourEyes | undefined> {
  const changed = Object.keys(UPDATE_OPTIONS).filter((name) => input.options(name).length > 0)
  return changed.join() === 'status' && input.option('status') === 'PAUSED' ? undefined : 'always'
}

const update = defineCommand({
  name: 'providers update',
  access: { ...ON_PROVIDER, fourEyesFor: fourEyesOfUpdate },
  about: 'Change a registration; orders that are open stay as they are.',
  takes: ['provider'],
  options: UPDATE_OPTIONS,
  answers: ProviderSchema,
  async run(deps, input) {
    const [id, changes] = [idGiven(deps, input), await fieldsFrom(input)]
    return providerToWire(
      await change(deps, { action: 'providers update', id }, (work) =>
        updateProvider(work, { id, changes }, known),
      ),
    )
  },
})

const remove = defineCommand({
  name: 'providers remove',
  access: ON_PROVIDER,
  about: 'End a registration; refused while orders or exceptions of it are open.',
  takes: ['provider'],
  answers: ProviderSchema,
  async run(deps, input) {
    const id = idGiven(deps, input)
    return providerToWire(
      await change(deps, { action: 'providers remove', id }, (work) => removeProvider(work, id)),
    )
  },
})

const OVERLAP_HOURS = 24

const rotate = defineCommand({
  name: 'providers rotate-secret',
  access: ON_PROVIDER,
  about: 'Make a second secret, shown once; the former one holds for the overlap.',
  takes: ['provider'],
  options: {
    'overlap-hours': { about: 'How long both hold (default 24, 0 to 168).', value: 'N' },
  },
  showsOnce: ['secret'],
  answers: record({
    providerId: idField('provider'),
    secret: Type.String(),
    formerSecretUntil: timestamp(),
  }),
  async run(deps, input) {
    const id = idGiven(deps, input)
    const overlapHours = Number(input.option('overlap-hours') ?? OVERLAP_HOURS)
    const rotated = await change(deps, { action: 'providers rotate-secret', id }, (work) =>
      rotateSecret(work, { id, overlapHours }),
    )
    return {
      providerId: formatId('provider', id),
      secret: rotated.secret,
      formerSecretUntil: toWireTime(rotated.formerSecretUntil),
    }
  },
})

const servesPlatform = async (deps: Deps, input: Input): Promise<(one: Provider) => boolean> => {
  const text = input.option('platform')
  if (text === undefined) return () => true
  const id = mustParseId('platform', text)
  const { environment } = (await findPlatform(deps.db.read, id)) ?? failNotFound('platform')
  return (one) => one.environment === environment && (one.platformIds?.includes(id) ?? true)
}

const standingFields = {
  circuit: oneOf(['CLOSED', 'OPEN']),
  circuitSince: Type.Optional(timestamp()),
  openOrders: Type.Record(Type.String(), Type.Integer()),
  oldestOpenOrderAt: Type.Optional(timestamp()),
  exceptionsOpen: Type.Integer(),
}

const StandingSchema = record(standingFields)

/** Undefined for built-in providers, which get no orders. */
function standingOf(figures: readonly ProviderFigures[], id: Id<'provider'> | null) {
  const found = figures.find(({ providerId }) => providerId === id)
  if (!found) return undefined
  const { circuit, circuitSince, open, oldestOpenAt, exceptionsOpen } = found
  return {
    circuit,
    circuitSince: circuitSince ? toWireTime(circuitSince) : undefined,
    openOrders: open,
    oldestOpenOrderAt: oldestOpenAt ? toWireTime(oldestOpenAt) : undefined,
    exceptionsOpen,
  }
}

const list = defineCommand({
  name: 'providers list',
  access: { roles: ['VIEWER'], scope: 'installation' },
  about: 'Who answers for the ports: registered providers, then built-in ones; without secrets.',
  options: {
    port: { about: 'Only those of this port.', value: 'PORT' },
    platform: { about: 'Only those that may serve this platform.', value: 'ID' },
  },
  answers: Type.Array(record({ ...providerFields, standing: Type.Optional(StandingSchema) })),
  async run(deps, input) {
    const port = choiceOf(input, 'port', PORTS)
    const isServing = await servesPlatform(deps, input)
    await deps.providers.refresh()
    const figures = await readFigures(deps.db.read)
    return [...deps.providers.registered(), ...deps.providers.builtIn]
      .filter(({ ports }) => port === undefined || ports.includes(port))
      .filter(isServing)
      .map((one) => ({ ...providerToWire(one), standing: standingOf(figures, one.id) }))
  },
})

const CallFiguresSchema = record({
  port: oneOf(PORTS),
  answered: Type.Integer(),
  unanswered: Type.Integer(),
  p50Ms: Type.Optional(Type.Integer()),
  p99Ms: Type.Optional(Type.Integer()),
})

const HealthSchema = record({
  ...standingFields,
  lastHour: Type.Array(CallFiguresSchema),
  lastDay: Type.Array(CallFiguresSchema),
  outsideFees: Type.Array(record({ currency: Type.String(), amount: Type.Integer() })),
})

const FEES_MS = 30 * DAY_MS

/** How it does at the moment (PROV-142). */
async function healthOf({ db, clock }: Deps, id: Id<'provider'>) {
  const since = async (ms: number) => {
    const found = await readCallFigures(db.read, id, addMs(clock.now(), -ms))
    return found.map(({ p50Ms, p99Ms, ...counts }) => ({
      ...counts,
      p50Ms: p50Ms ?? undefined,
      p99Ms: p99Ms ?? undefined,
    }))
  }
  const standing = standingOf(await readFigures(db.read), id)
  const fees = await sumOutsideFees(db.read, id, addMs(clock.now(), -FEES_MS))
  return (
    standing && {
      ...standing,
      lastHour: await since(HOUR_MS),
      lastDay: await since(DAY_MS),
      outsideFees: fees.map(({ currency, amount }) => ({ currency, amount: amountToWire(amount) })),
    }
  )
}

const show = defineCommand({
  name: 'providers show',
  access: { roles: ['VIEWER'], scope: 'installation' },
  about: 'One provider, by id or name, without secrets; and who answers for its ports without it.',
  takes: ['provider'],
  answers: record({
    ...providerFields,
    builtIn: Type.Array(record({ port: oneOf(PORTS), provider: Type.Optional(Type.String()) })),
    health: Type.Optional(HealthSchema),
  }),
  async run(deps, input) {
    await deps.providers.refresh()
    const word = onlyArg(input, 'provider')
    const { builtIn } = deps.providers
    const provider: Provider =
      registeredBy(deps, word) ??
      builtIn.find(({ name }) => name === word) ??
      failNotFound('provider')
    return {
      ...providerToWire(provider),
      builtIn: provider.ports.map((port) => ({
        port,
        provider: findBuiltIn(builtIn, provider.environment, { port })?.name,
      })),
      health: provider.id ? await healthOf(deps, provider.id) : undefined,
    }
  },
})

export const providerCommands = { add, list, show, update, remove, rotateSecret: rotate }
