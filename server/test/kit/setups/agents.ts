import type { AgentAction } from '../../../../sdk/src/index.ts'
import { expectStatus, type Api, type Shown } from '../api.ts'
import type { TestPlatform } from '../florin.ts'

/** An API client that holds an agent's token in place of the platform's credentials. */
export function bearer(api: Api, token: string): Api {
  const authorization = `Bearer ${token}`
  const send: Api['send'] = (method, path, init = {}) =>
    api.send(method, path, { ...init, headers: { ...init.headers, authorization } as never })
  const withToken = <O extends { headers?: Record<string, string> }>(options?: O) => ({
    ...options,
    headers: { ...options?.headers, authorization },
  })
  return {
    send,
    get: (path, options) => api.get(path, withToken(options)),
    post: (path, body, options) => api.post(path, body, withToken(options)),
    put: (path, body, options) => api.put(path, body, withToken(options)),
    patch: (path, body, options) => api.patch(path, body, withToken(options)),
    delete: (path, options) => api.delete(path, withToken(options)),
    with: (credentials) => api.with(credentials),
  }
}

const ALL_PERMISSIONS = [
  'VIEW_TRANSACTIONS',
  'CREATE_TRANSFERS',
  'CREATE_QUOTES',
  'EXECUTE_QUOTES',
  'MANAGE_EXTERNAL_ACCOUNTS',
] as const

/** A policy that lets an agent do everything, up to 1,000,000 USD cents at a time. */
export const policyOf = (changes: object = {}) => ({
  permissions: ALL_PERMISSIONS,
  defaultExecutionMode: 'AUTO',
  spendingLimits: { currency: 'USD', perTransactionLimit: 1_000_000 },
  ...changes,
})

export type AgentFields = Readonly<{ customerId: string; name?: string; policy?: object }>

export const postAgent = (
  { api }: TestPlatform,
  { customerId, name = 'Assistant', policy = policyOf() }: AgentFields,
) => api.post('/agents', { name, customerId, policy })

export async function createAgent(platform: TestPlatform, fields: AgentFields) {
  return expectStatus(await postAgent(platform, fields), 201)
}

/** Without any credentials. */
export const redeem = ({ api }: TestPlatform, code: string | undefined) =>
  api.send('POST', `/agents/device-codes/${String(code)}/redeem`, {
    headers: { authorization: '' },
  })

export type ConnectedAgent = Readonly<{ id: string; api: Api; token: string }>

/** An agent whose device code was redeemed. */
export async function connectAgent(
  platform: TestPlatform,
  fields: AgentFields,
): Promise<ConnectedAgent> {
  const { agent, deviceCode } = await createAgent(platform, fields)
  const redeemed = expectStatus(await redeem(platform, deviceCode.code), 200)
  const token = redeemed.accessToken
  return { id: agent.id, api: bearer(platform.api, token), token }
}

type SubmittedAction = Pick<Shown<AgentAction>, 'id' | 'agentId'>

export const approve = ({ api }: TestPlatform, action: SubmittedAction) =>
  api.post(`/agents/${action.agentId}/actions/${action.id}/approve`)

export const reject = ({ api }: TestPlatform, action: SubmittedAction, body?: object) =>
  api.post(`/agents/${action.agentId}/actions/${action.id}/reject`, body)

export const setPolicy = ({ api }: TestPlatform, id: string, change: object) =>
  api.patch(`/agents/${id}/policy`, change)

export async function usageOf({ api }: TestPlatform, id: string) {
  return expectStatus(await api.get(`/agents/${id}`), 200).usage
}
