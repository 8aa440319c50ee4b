import { Type } from '../../../infra/http/schema/type.ts'
import { ANY_ROLE } from '../../../kernel/access/operator.ts'
import { idField } from '../../../infra/http/schema/wire-schema.ts'
import { asId, formatId, mustParseId, type Id } from '../../../kernel/ids.ts'
import { findCurrency } from '../../../kernel/money/currency.ts'
import { fail } from '../../../kernel/errors.ts'
import { FORMATS } from '../../../kernel/text/formats.ts'
import { toWireTime } from '../../../kernel/clock.ts'
import { PAGE_LIMIT_MAX } from '../../../kernel/page.ts'
import { amountToWire } from '../../../kernel/money/wire-money.ts'
import { NEW_PLATFORM_ENVIRONMENT, type Environment } from '../../../kernel/platform.ts'
import { traitsOf } from '../../../kernel/platform-traits.ts'
import { announcePlatformChange } from '../../../infra/callers.ts'
import type { Deps } from '../../../infra/deps.ts'
import { isParentOrigin } from '../../../features/cards/index.ts'
import { listTokens, tokenToWire } from '../../../features/api-tokens/index.ts'
import { readConfig, type Branding } from '../../../features/platform/index.ts'
import { findServiceFees, listPaymentLimits } from '../../../features/rates/index.ts'
import { newSealedKeyPair } from '../../../webhooks/signing/webhook-key.ts'
import {
  defineCommand,
  onlyArg,
  record,
  UsageError,
  type Input,
  type Option,
} from '../../command.ts'
import { createPlatform, type PlatformRequest } from '../../create-platform.ts'
import { inPlatform, readInPlatform } from '../../in-platform.ts'
import { environmentOf } from '../environment.ts'
import { shownFees, shownLimit } from '../../queries/shown-terms.ts'
import {
  findPlatformLine,
  replaceWebhookKey,
  updatePlatform,
  type PlatformLine,
} from '../../queries/operator-store.ts'
import { CreatedSchema, ShownSchema } from './platform-answers.ts'
import { listPlatforms, movedClock } from '../lists/list-platforms.ts'

const oneOf = <T extends string>(
  input: string | undefined,
  values: readonly T[],
  name: string,
): T => {
  const found = values.find((value) => value === input)
  if (found === undefined) throw new UsageError(`--${name} is one of ${values.join(', ')}.`)
  return found
}

function currenciesOf(input: Input): string[] {
  const codes = (input.option('currencies') ?? '').split(',').map((code) => code.trim())
  const unknown = codes.filter((code) => !findCurrency(code))
  if (unknown.length > 0) throw new UsageError(`Unknown currencies: ${unknown.join(', ')}.`)
  return [...new Set(codes)]
}

function nameOf(input: Input): string | undefined {
  const name = input.option('name')?.trim()
  if (name === '') throw new UsageError('--name must not be blank.')
  return name
}

/** Production platforms do not skip the papers of a verification (chapter 11, section 1). */
function mustNotSkipPaperwork(environment: Environment, isSkipped: boolean | null): void {
  if (traitsOf({ environment }).enforcesRegulation && isSkipped === true) {
    throw new UsageError('--skip-verification-paperwork is for sandbox platforms only.')
  }
}

const brandingToShown = ({ logo, ...rest }: Branding) => ({
  ...rest,
  ...(logo && { logo: logo.mediaType }),
})

const toShown = (line: PlatformLine) => ({
  platformId: formatId('platform', line.id),
  name: line.name,
  kind: line.kind,
  environment: line.environment,
  skipVerificationPaperwork: line.skipVerificationPaperwork,
  strictIdentifiers: line.strictIdentifiers,
  travelRule: line.travelRule,
  umaDomain: line.umaDomain,
  ...(line.webhookEndpoint && { webhookEndpoint: line.webhookEndpoint }),
  ...(line.onboardingUrl && { onboardingUrl: line.onboardingUrl }),
  ...(line.passkeyOrigins.length > 0 && { passkeyOrigins: line.passkeyOrigins }),
  ...(line.cardOrigins.length > 0 && { cardOrigins: line.cardOrigins }),
  webhookPublicKey: line.webhookPublicKey,
  createdAt: toWireTime(line.createdAt),
  ...movedClock(line.clockOffsetMs),
})

/** `--travel-rule on` or `off`; undefined without the option. */
function switchOf(input: Input, name: string): boolean | null {
  const text = input.option(name)
  return text === undefined
    ? null
    : oneOf(text, ['on', 'off', 'true', 'false'], name).match(/on|true/) !== null
}

const CARD_ORIGIN: Option = {
  about: 'Origin whose pages may hold card numbers in a frame; may be repeated.',
  value: 'URL',
  repeatable: true,
}

const PASSKEY_ORIGIN: Option = {
  about: 'Origin from which passkeys are taken; may be repeated.',
  value: 'URL',
  repeatable: true,
}

/** Both are compared with what a browser or an app sends: in any other form an origin would never be met. */
const ORIGINS = {
  // There is no wildcard: only named pages may embed a card number (CARD-37).
  'card-origin': { isRight: isParentOrigin, form: 'an https origin, as https://shop.example' },
  'passkey-origin': {
    isRight: isPasskeyOrigin,
    form: 'an https origin, as https://shop.example, or an app’s, as android:apk-key-hash:…',
  },
}
type OriginOption = keyof typeof ORIGINS

/** A mobile app has an origin with its own scheme (CRED-14). */
function isPasskeyOrigin(text: string, environment: Environment): boolean {
  const { protocol = '' } = URL.parse(text) ?? {}
  return ['', 'http:', 'https:'].includes(protocol)
    ? isParentOrigin(text, environment)
    : !text.includes(' ')
}

function originsOf(input: Input, name: OriginOption, environment: Environment): string[] {
  const origins = input.options(name)
  const wrong = origins.filter((origin) => !ORIGINS[name].isRight(origin, environment))
  if (wrong.length === 0) return [...new Set(origins)]
  throw new UsageError(`--${name} is ${ORIGINS[name].form}: ${wrong.join(', ')}.`)
}

/** 'none' clears the option. */
const changedOrigins = (
  input: Input,
  name: OriginOption,
  environment: Environment,
): string[] | null => {
  const origins = input.options(name)
  if (origins.length === 0) return null
  return origins.join() === 'none' ? [] : originsOf(input, name, environment)
}

const replacing = (option: Option): Option => ({
  ...option,
  about: `${option.about} Replaces those named before; none takes them back.`,
})

const STRICT_IDENTIFIERS: Option = {
  about: 'Check identifiers strictly in sandbox too: on or off.',
  value: 'SWITCH',
  isSwitch: true,
}

const create = defineCommand({
  name: 'platforms create',
  access: { roles: ['ADMIN'], scope: 'installation', writes: true },
  about:
    'Make a platform with its accounts, webhook keys and a first token; the secret is shown once.',
  options: {
    name: { about: 'Name of the platform.', value: 'NAME', required: true },
    kind: {
      about: 'REGULATED runs its own compliance, UNREGULATED leaves it to us.',
      value: 'KIND',
      required: true,
    },
    currencies: { about: 'Supported currencies, as in USD,EUR.', value: 'CODES', required: true },
    environment: { about: 'SANDBOX (default) or PRODUCTION.', value: 'NAME' },
    'skip-verification-paperwork': { about: 'Verify by data alone; in sandbox only.', flag: true },
    'strict-identifiers': STRICT_IDENTIFIERS,
    'passkey-origin': PASSKEY_ORIGIN,
    'card-origin': CARD_ORIGIN,
  },
  showsOnce: ['clientSecret'],
  answers: CreatedSchema,
  async run(deps, input) {
    const environment = environmentOf(input, NEW_PLATFORM_ENVIRONMENT)
    const request: PlatformRequest = {
      name: nameOf(input) ?? '',
      kind: oneOf(input.option('kind'), ['REGULATED', 'UNREGULATED'], 'kind'),
      environment,
      currencies: currenciesOf(input),
      skipVerificationPaperwork: input.flag('skip-verification-paperwork'),
      strictIdentifiers: switchOf(input, 'strict-identifiers') ?? false,
      passkeyOrigins: originsOf(input, 'passkey-origin', environment),
      cardOrigins: originsOf(input, 'card-origin', environment),
    }
    mustNotSkipPaperwork(request.environment, request.skipVerificationPaperwork ?? null)
    return createPlatform(deps, request)
  },
})

/** The platform with its configuration, fees and limits, and its newest hundred tokens without their secrets. */
async function shown(deps: Deps, id: Id<'platform'>) {
  const line = (await findPlatformLine(deps.db.read, id)) ?? fail('REFERENCE_NOT_FOUND')
  return readInPlatform(deps, id, async (work) => {
    const { currencies, branding } = await readConfig(work)
    const { data: tokens } = await listTokens(work, { limit: PAGE_LIMIT_MAX })
    return {
      ...toShown(line),
      ...(branding && { branding: brandingToShown(branding) }),
      currencies: currencies.map(({ currency, minAmount, maxAmount, enabledTransactionTypes }) => ({
        currency,
        minAmount: amountToWire(minAmount),
        maxAmount: amountToWire(maxAmount),
        enabledTransactionTypes,
      })),
      tokens: tokens.map(tokenToWire).map(({ id: tokenId, ...token }) => ({ tokenId, ...token })),
      fees: shownFees(await findServiceFees(work.tx, id)),
      limits: (await listPaymentLimits(work.tx, id)).map(shownLimit),
    }
  })
}

const show = defineCommand({
  name: 'platforms show',
  access: { roles: ANY_ROLE },
  about: 'One platform with its webhook public key, currencies, tokens, fees and limits.',
  takes: ['platformId'],
  answers: ShownSchema,
  run: (deps, input) => shown(deps, mustParseId('platform', onlyArg(input, 'platformId'))),
})

function urlOf(input: Input, name: string): string | null {
  const text = input.option(name)
  if (text === undefined) return null
  if (!FORMATS['url']?.(text)) throw new UsageError(`--${name} is a web address.`)
  return text
}

const update = defineCommand({
  name: 'platforms update',
  access: { roles: ['ADMIN'], fourEyes: 'always', writes: true },
  about: 'Change what only the operator may change; applies to what comes after.',
  takes: ['platformId'],
  options: {
    name: { about: 'New name.', value: 'NAME' },
    'skip-verification-paperwork': {
      about: 'Verify by data alone, in sandbox only: on or off.',
      value: 'SWITCH',
      isSwitch: true,
    },
    'strict-identifiers': STRICT_IDENTIFIERS,
    'travel-rule': {
      about: 'Ask for wallet ownership everywhere: on or off.',
      value: 'SWITCH',
      isSwitch: true,
    },
    'onboarding-url': {
      about: 'Where an invited person signs up; a production platform invites with it only.',
      value: 'URL',
    },
    'passkey-origin': replacing(PASSKEY_ORIGIN),
    'card-origin': replacing(CARD_ORIGIN),
  },
  answers: ShownSchema,
  async run(deps, input) {
    const platformId = onlyArg(input, 'platformId')
    await inPlatform(deps, { platformId, action: 'platforms update' }, async ({ tx, platform }) => {
      const skipVerificationPaperwork = switchOf(input, 'skip-verification-paperwork')
      mustNotSkipPaperwork(platform.environment, skipVerificationPaperwork)
      await updatePlatform(tx, platform.id, {
        name: nameOf(input) ?? null,
        skipVerificationPaperwork,
        strictIdentifiers: switchOf(input, 'strict-identifiers'),
        travelRule: switchOf(input, 'travel-rule'),
        onboardingUrl: urlOf(input, 'onboarding-url'),
        passkeyOrigins: changedOrigins(input, 'passkey-origin', platform.environment),
        cardOrigins: changedOrigins(input, 'card-origin', platform.environment),
      })
      announcePlatformChange(tx, platform.id)
    })
    return shown(deps, mustParseId('platform', platformId))
  },
})

const rotate = defineCommand({
  name: 'platforms rotate-webhook-key',
  access: { roles: ['ADMIN'], fourEyes: 'always', writes: true },
  about: 'Make a new webhook key pair; attempts from now on are signed with it.',
  takes: ['platformId'],
  answers: record({ platformId: idField('platform'), webhookPublicKey: Type.String() }),
  run: (deps, input) => {
    const platformId = onlyArg(input, 'platformId')
    return inPlatform(
      deps,
      { platformId, action: 'platforms rotate-webhook-key' },
      async (work) => {
        const keys = newSealedKeyPair(work.keyring, asId('platform', work.platform.id))
        await replaceWebhookKey(work.tx, work.platform.id, keys)
        return { platformId, webhookPublicKey: keys.publicKey }
      },
    )
  },
})

export const platformCommands = {
  create,
  list: listPlatforms,
  show,
  update,
  rotateWebhookKey: rotate,
}
