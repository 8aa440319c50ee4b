import { read, write, type Operation } from '../../infra/http/operation.ts'
import { reply } from '../../infra/http/reply.ts'
import type { Work } from '../../infra/work/work.ts'
import { checkConfig } from './check-config.ts'
import { checkUmaDomain } from './check-uma-domain.ts'
import type { PlatformConfig } from './config.ts'
import { readConfig } from './read-config.ts'
import {
  PlatformConfigSchema,
  PlatformConfigUpdateSchema,
  type PlatformConfigBody,
} from './schema.ts'
import { updateConfig } from './update-config.ts'
import { configToWire, configUpdateFromWire } from './wire.ts'

const tag = 'Platform Configuration'

const shown = ({ platform, settings }: Work, config: PlatformConfig): PlatformConfigBody =>
  configToWire(config, { kind: platform.kind, publicUrl: settings.publicUrl })

export const routes: readonly Operation[] = [
  read({
    id: 'getPlatformConfig',
    path: '/config',
    tag,
    needs: 'VIEW',
    summary: "Read the platform's configuration",
    description:
      'Currencies with their limits, webhook endpoint, UMA domain, fees, and how embedded wallets and cards speak to customers.',
    replies: { 200: PlatformConfigSchema },
    handler: async ({ work }) => reply(200, shown(work, await readConfig(work))),
  }),
  write({
    id: 'updatePlatformConfig',
    method: 'PATCH',
    path: '/config',
    tag,
    needs: 'MANAGE',
    summary: "Change the platform's configuration",
    description:
      'Only the fields that are given change. `supportedCurrencies` is replaced as a whole, `feeConfigs` is merged by type and currency, `embeddedWalletConfig`, `cardTokenization2faConfig` and `branding` are merged field by field; null clears.',
    body: PlatformConfigUpdateSchema,
    example: { webhookEndpoint: 'https://platform.example.com/webhooks' },
    replies: { 200: PlatformConfigSchema },
    errors: ['NOT_IMPLEMENTED'],
    check: ({ body }, caller) => checkConfig(body, caller),
    checkStored: ({ body }, { platform, tx }) =>
      checkUmaDomain(tx, platform, (body as { umaDomain?: unknown } | null)?.umaDomain),
    handler: async ({ work, body }) => {
      const config = await updateConfig(work, configUpdateFromWire(body))
      return reply(200, shown(work, config))
    },
  }),
]
