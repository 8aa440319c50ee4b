import { isPast } from '../../kernel/clock.ts'
import type { Id } from '../../kernel/ids.ts'
import { platformTime } from '../../kernel/platform.ts'
import type { Deps } from '../../infra/deps.ts'
import { insideJob, outsideJob, type JobHandler } from '../../infra/jobs/job-handler.ts'
import type { Platform } from '../../kernel/platform.ts'
import { smsSenderFor } from '../../providers/sms/sms-sender-for.ts'
import { findChallengeById } from './challenges/store.ts'
import { moveResetJob, sendCodeJob, sendNoticeJob } from './job-definitions.ts'
import { moveResetIfOpen } from './resets/move-reset.ts'
import { openSmsCode } from './secrets.ts'
import { sendNotice } from './notices/send-notice.ts'

export const scaJobs: readonly JobHandler[] = [
  outsideJob(sendCodeJob, {
    call: (deps, platform, { payload }) => sendSmsCode(deps, platform, payload.challengeId),
  }),
  outsideJob(sendNoticeJob, {
    call: (deps, platform, { payload }) => sendNotice(deps, platform, payload),
  }),
  insideJob(moveResetJob, async (work, { payload }) => {
    await moveResetIfOpen(work, payload)
  }),
]

/** A code of an expired or deleted challenge is not sent. Fails: SERVICE_UNAVAILABLE, and is tried again. */
async function sendSmsCode(deps: Deps, platform: Platform, id: Id<'scaChallenge'>): Promise<void> {
  const { db, keyring, clock, settings } = deps
  const challenge = await findChallengeById(db.read, platform.id, id)
  const now = platformTime(platform, clock.now())
  if (!challenge?.sms || isPast({ deadline: challenge.expiresAt, now })) return
  const { to, code, about } = openSmsCode(keyring, id, challenge.sms)
  const text = `${code} is your ${platform.name} code ${about}. It is valid for 5 minutes. Do not share it.`
  await smsSenderFor(platform, settings).send({ to, text })
}
