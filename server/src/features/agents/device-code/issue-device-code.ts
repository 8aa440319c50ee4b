import { addMs } from '../../../kernel/clock.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work.ts'
import { DEVICE_CODE_LIFETIME_MS, digestDeviceCode, newDeviceCode } from './code.ts'
import { replaceDeviceCode } from './store.ts'

export type IssuedCode = Readonly<{ code: string; agentId: Id<'agent'>; expiresAt: Date }>

/** A code by which a program becomes this agent. It leaves here once; only a digest of it is kept. */
export async function issueDeviceCode(
  { tx, platform, now }: Work,
  agentId: Id<'agent'>,
): Promise<IssuedCode> {
  const code = newDeviceCode()
  const expiresAt = addMs(now, DEVICE_CODE_LIFETIME_MS)
  await replaceDeviceCode(tx, platform.id, {
    digest: digestDeviceCode(code),
    agentId,
    createdAt: now,
    expiresAt,
  })
  return { code, agentId, expiresAt }
}
