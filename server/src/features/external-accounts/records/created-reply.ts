import { reply, type Reply } from '../../../infra/http/reply.ts'
import type { Work } from '../../../infra/work/work.ts'
import { kindsByType, sendNow } from '../../../orders/index.ts'
import type { ExternalAccountBody } from '../schema.ts'
import { nameChecks } from '../status/name-check.ts'
import { accountToWire, warningsHeader } from '../wire.ts'
import type { CreatedExternalAccount } from './create-external-account.ts'
import { findAnyExternalAccount } from './find-external-account.ts'

const kinds = kindsByType([nameChecks])

/** The reply with the new account. It waits at most 5 s for an outside name check, then shows the current state (PROV-53). */
export function createdReply(
  { platform }: Work,
  { account, warnings, nameCheck }: CreatedExternalAccount,
): Reply<201, ExternalAccountBody> {
  const headers = warningsHeader(warnings)
  const created = reply(201, accountToWire(account), headers)
  if (!nameCheck) return created
  return {
    ...created,
    async afterwards(deps) {
      await sendNow({ deps, kinds }, nameCheck)
      const reading = { tx: deps.db.read, platform, keyring: deps.keyring }
      const checked = await findAnyExternalAccount(reading, account.id)
      return reply(201, accountToWire(checked ?? account), headers)
    },
  }
}
