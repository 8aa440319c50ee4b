import { Type } from '../../../infra/http/schema/type.ts'
import { environmentSchema } from '../../../infra/http/schema/wire-schema.ts'
import { checkLedger } from '../../../ledger/reports/check-ledger.ts'
import { sumBalances, sumExceptions } from '../../../ledger/reports/sum-balances.ts'
import { shownPlatforms } from '../../access/visible-platforms.ts'
import { defineCommand, record } from '../../command.ts'

const CheckSchema = record({
  ok: Type.Boolean(),
  entries: Type.Integer(),
  currencies: Type.Array(Type.String()),
  problems: Type.Array(Type.String()),
})

const BalanceSchema = record({
  environment: environmentSchema(),
  accountClass: Type.String(),
  currency: Type.String(),
  accounts: Type.Integer(),
  amount: Type.String(),
})

const check = defineCommand({
  name: 'ledger check',
  access: { roles: ['VIEWER'], scope: 'installation' },
  about: 'Verify the whole book in one snapshot; exit status 1 if it is not sound.',
  answers: CheckSchema,
  run: (deps) => checkLedger(deps.db, deps.counts),
})

const balances = defineCommand({
  name: 'ledger balances',
  access: { roles: ['VIEWER'] },
  about:
    'What the book holds by class of account and currency, in smallest units. Reads all of it, unless only exceptions are asked for.',
  options: {
    platform: { about: 'Only in the book of this platform.', value: 'ID' },
    exceptions: { about: 'Only money without a home and what platforms owe.', flag: true },
  },
  answers: Type.Array(BalanceSchema),
  async run(deps, input) {
    const sum = input.flag('exceptions') ? sumExceptions : sumBalances
    return sum(deps.db.read, shownPlatforms(deps, input))
  },
})

export const ledgerCommands = { check, balances }
