import { isPast } from '../../kernel/clock.ts'
import { asId } from '../../kernel/ids.ts'
import { platformTime } from '../../kernel/platform.ts'
import type { Deps } from '../../infra/deps.ts'
import type { Job, JobHandlers } from '../../infra/jobs/job-handler.ts'
import type { Platform } from '../../kernel/platform.ts'
import { smsSenderFor } from '../../providers/sms/sms-sender-for.ts'
import { findChallengeById } from './challenges/store.ts'
import { MOVE_RESET_JOB, SEND_CODE_JOB, SEND_NOTICE_JOB } from './job-names.ts'
import { moveResetIfOpen, type ResetMove } from './resets/move-reset.ts'
import { openSmsCode } from './secrets.ts'
import { sendNotice } from './notices/send-notice.ts'

export const scaJobs: JobHandlers = {
  [SEND_CODE_JOB]: { call: sendSmsCode, settle: async () => undefined },
  [SEND_NOTICE_JOB]: { call: sendNotice, settle: async () => undefined },
  [MOVE_RESET_JOB]: {
    async run(work, { payload }) {
      const { resetId, move } = payload as { resetId: string; move: ResetMove }
      await moveResetIfOpen(work, { resetId: asId('scaReset', resetId), move })
    },
  },
}

/** A code that nobody waits for any more is not sent. Fails: SERVICE_UNAVAILABLE, and is tried again. */
async function sendSmsCode(deps: Deps, platform: Platform, { payload }: Job): Promise<void> {
  const { db, keyring, clock, settings } = deps
  const id = asId('scaChallenge', (payload as { challengeId: string }).challengeId)
  const challenge = await findChallengeById(db.read, platform.id, id)
  const now = platformTime(platform, clock.now())
  if (!challenge?.sms || isPast({ deadline: challenge.expiresAt, now })) return
  const { to, code, about } = openSmsCode(keyring, id, challenge.sms)
  const text = `${code} is your ${platform.name} code ${about}. It is valid for 5 minutes. Do not share it.`
  await smsSenderFor(platform, settings).send({ to, text })
}
