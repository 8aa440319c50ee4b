import { Type } from '../../../infra/http/schema/type.ts'
import { formatId, failNotFound, mustParseId } from '../../../kernel/ids.ts'
import { read, write, type Operation } from '../../../infra/http/operation.ts'
import { reply } from '../../../infra/http/reply.ts'
import { pathId } from '../../../infra/http/schema/wire-schema.ts'
import { digestDeviceCode, normaliseDeviceCode } from './code.ts'
import { findDeviceCode, findOwnerOfCode } from './store.ts'
import { redeemDeviceCode } from './redeem-device-code.ts'
import { deviceCodeToWire, regenerateDeviceCode } from './issue-device-code.ts'
import { DeviceCodeSchema, DeviceCodeStatusSchema, RedeemedSchema } from '../schema.ts'

const tag = 'Agent Management'
const params = Type.Object({ code: pathId('The device code; case does not matter.') })

export const deviceCodeRoutes: readonly Operation[] = [
  write({
    id: 'regenerateAgentDeviceCode',
    method: 'POST',
    path: '/agents/{agentId}/device-codes',
    tag,
    needs: 'MANAGE',
    summary: 'Make another device code',
    description: 'Unredeemed codes end with it. To install an agent again, create another one.',
    params: Type.Object({ agentId: pathId('Id of the agent, `Agent:<uuid>`.') }),
    replies: { 201: DeviceCodeSchema },
    errors: ['REFERENCE_NOT_FOUND', 'CONFLICT'],
    sealStoredReply: true,
    handler: async ({ work, params: { agentId } }) => {
      const issued = await regenerateDeviceCode(work, mustParseId('agent', agentId))
      return reply(201, deviceCodeToWire(issued))
    },
  }),
  read({
    id: 'getAgentDeviceCodeStatus',
    path: '/agents/device-codes/{code}/status',
    tag,
    needs: 'VIEW',
    summary: 'See whether a device code was redeemed',
    description: 'For the screen that shows the code: ask until it is redeemed.',
    params,
    replies: { 200: DeviceCodeStatusSchema },
    errors: ['REFERENCE_NOT_FOUND'],
    handler: async ({ work: { tx, platform }, params: { code } }) => {
      const found = await findDeviceCode(tx, platform.id, digestDeviceCode(code))
      if (!found) return failNotFound('agent')
      return reply(200, { code: normaliseDeviceCode(code), redeemed: found.redeemedAt !== null })
    },
  }),
  write({
    id: 'redeemAgentDeviceCode',
    method: 'POST',
    path: '/agents/device-codes/{code}/redeem',
    tag,
    needs: 'NOTHING',
    async identify(tx, { code = '' }) {
      const owner = await findOwnerOfCode(tx, digestDeviceCode(code))
      if (!owner) return undefined
      const { platform, agentId, customerId } = owner
      return { platform, actor: { kind: 'agent', agentId, customerId } }
    },
    summary: 'Redeem a device code',
    description: 'The holder of the code becomes the agent, once: the access token is shown here.',
    params,
    replies: { 200: RedeemedSchema },
    errors: ['INVALID_INPUT', 'REFERENCE_NOT_FOUND'],
    key: 'ignored',
    auditResource: ({ agentId }) => agentId,
    handler: async ({ work, params: { code } }) => {
      const { agent, accessToken } = await redeemDeviceCode(work, code)
      const { id, name: agentName, policy } = agent
      return reply(200, { agentId: formatId('agent', id), agentName, accessToken, policy })
    },
  }),
]
