/** Every magic value of the sandbox, from the tables by which its parts decide (OPER-132). */
import { MAGIC_PROOFS } from '../../crypto/wallet/sandbox-values.ts'
import type { Settings } from '../../infra/settings/settings.ts'
import type { MagicValue } from '../../kernel/text/magic-value.ts'
import { MAGIC_FILE_NAMES } from '../../providers/document-inspection/sandbox-inspector.ts'
import { MAGIC_APPLICANTS } from '../../providers/identity/sandbox-identity.ts'
import { MAGIC_PAYMENTS } from '../../providers/rails/sandbox-outcomes.ts'
import { MAGIC_CARDHOLDERS, MAGIC_DESCRIPTORS } from '../cards/index.ts'
import { MAGIC_NAMES } from '../customers/index.ts'
import { MAGIC_ACCOUNTS } from '../external-accounts/index.ts'
import { MAGIC_RESETS } from '../sca/index.ts'
import { MAGIC_COINS } from '../stablecoins/index.ts'
import { magicAddresses } from '../uma/index.ts'

export const listMagicValues = ({
  sandboxUmaDomains,
}: Pick<Settings, 'sandboxUmaDomains'>): MagicValue[] => [
  ...MAGIC_NAMES,
  ...MAGIC_APPLICANTS,
  ...MAGIC_FILE_NAMES,
  ...MAGIC_PROOFS,
  ...MAGIC_RESETS,
  ...MAGIC_ACCOUNTS,
  ...MAGIC_PAYMENTS,
  ...magicAddresses(sandboxUmaDomains),
  ...MAGIC_CARDHOLDERS,
  ...MAGIC_DESCRIPTORS,
  ...MAGIC_COINS,
]
