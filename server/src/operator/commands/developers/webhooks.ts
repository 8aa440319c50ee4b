/** The webhook endpoint of a platform, set and tested by its developers. */
import { Type } from '../../../infra/http/schema/type.ts'
import { FORMATS } from '../../../kernel/text/formats.ts'
import { idField } from '../../../infra/http/schema/wire-schema.ts'
import { mustHaveNoErrors } from '../../../kernel/errors.ts'
import { mustParseId } from '../../../kernel/ids.ts'
import { checkConfig, updateConfig } from '../../../features/platform/index.ts'
import { beginTest, finishTest } from '../../../webhooks/delivery/send-test.ts'
import { defineCommand, record, UsageError, type Input } from '../../command.ts'
import { inPlatform } from '../../in-platform.ts'
import { versionOf } from '../../proposals/resource-store.ts'
import { ONE_PLATFORM } from '../../queries/list-filters.ts'
import { mustHaveTestTools } from './sandbox.ts'

function endpointOf(input: Input): string | null {
  const url = input.option('url')
  if (input.flag('none') === (url !== undefined)) throw new UsageError('Give --url, or --none.')
  if (url !== undefined && !FORMATS['url']?.(url)) throw new UsageError('--url is a web address.')
  return url ?? null
}

const setEndpoint = defineCommand({
  name: 'webhooks set-endpoint',
  access: {
    roles: ['ADMIN', 'DEVELOPER'],
    fourEyes: 'always',
    actsOn: ({ db }, input) =>
      versionOf(db.read, {
        kind: 'platform',
        id: mustParseId('platform', input.option('platform') ?? ''),
      }),
    writes: true,
  },
  about: 'Where events are sent from now on; a TEST event goes there. As PATCH /config does.',
  options: {
    platform: ONE_PLATFORM,
    url: { about: 'The endpoint.', value: 'URL' },
    none: { about: 'No endpoint: events are kept and not sent.', flag: true },
  },
  answers: record({
    platformId: idField('platform'),
    webhookEndpoint: Type.Optional(Type.String()),
  }),
  async run(deps, input) {
    const platformId = input.option('platform') ?? ''
    const webhookEndpoint = endpointOf(input)
    const of = { platformId, action: 'webhooks set-endpoint' }
    return inPlatform(deps, of, async (work) => {
      mustHaveNoErrors(checkConfig({ webhookEndpoint }, work))
      const { webhookEndpoint: present } = await updateConfig(work, { webhookEndpoint })
      return { platformId, ...(present !== undefined && { webhookEndpoint: present }) }
    })
  },
})

const test = defineCommand({
  name: 'webhooks test',
  access: { roles: ['ADMIN', 'DEVELOPER'], writes: true },
  about: 'Send a test event to the endpoint of a sandbox platform, and show its answer.',
  options: { platform: ONE_PLATFORM },
  answers: record({
    url: Type.String(),
    response_status: Type.Integer(),
    response_body: Type.String(),
  }),
  async run(deps, input) {
    const platformId = input.option('platform') ?? ''
    const of = { platformId, action: 'webhooks test' }
    const begun = await inPlatform(deps, of, async (work) => {
      mustHaveTestTools(work.platform)
      return { platform: work.platform, ...(await beginTest(work)) }
    })
    return finishTest(deps, begun.platform, begun)
  },
})

export const webhookCommands = { setEndpoint, test }
