/** A form for each way in which an exception can be resolved; the type of exception decides which are offered. */
import type { Answer } from '../../../operator/command.ts'
import { exceptionCommands } from '../../../operator/commands/providers/exceptions.ts'
import type { Action, Field } from '../../section.ts'

type Row = Answer<typeof exceptionCommands.show>

const NOTE: Field = {
  name: 'note',
  label: 'What you found out',
  kind: 'text',
  hint: 'Kept with the decision.',
  isRequired: true,
}

const REFERENCE: Field = {
  name: 'reference',
  label: 'Reference',
  hint: 'What the bank calls the movement; of a payout to a wallet, the transaction’s hash.',
}

const AMOUNT: Field<Row> = {
  name: 'amount',
  label: 'How much came back',
  hint: 'In smallest units of the order’s currency: 2000 is 20.00 EUR.',
  isRequired: true,
}

const BEARER: Field = {
  name: 'bear',
  label: 'Who pays for it',
  kind: 'choice',
  isRequired: true,
  choices: () => [
    { value: '', label: 'Choose one' },
    { value: 'PLATFORM', label: 'The platform: its account is charged' },
    { value: 'SERVICE', label: 'We do: it is booked as our loss' },
  ],
}

type Way = Pick<Action<Row>, 'name' | 'label' | 'about' | 'tone' | 'fields'> &
  Readonly<{ as: string; isOffered?(row: Row): boolean }>

const isPrice = ({ type }: Row): boolean => type === 'PRICE_JUMP'
const hasFailed = ({ order }: Row): boolean => order?.state === 'FAILED'
const isOnlyNoted = ({ resolveAs }: Row): boolean => resolveAs.length === 1

const actionOf = ({ as, isOffered = () => true, fields = [], ...way }: Way): Action<Row> => ({
  ...way,
  command: exceptionCommands.resolve,
  fields: [...fields, NOTE],
  options: () => ({ as }),
  isOffered: (row) => row.status === 'OPEN' && row.resolveAs.includes(as) && isOffered(row),
  done: 'The exception is resolved.',
})

const WAYS: readonly Way[] = [
  {
    name: 'settled',
    as: 'SETTLED',
    label: 'The money was paid',
    tone: 'good',
    about: 'The order counts as settled, and its payment is completed if it is not yet.',
    fields: [REFERENCE],
    isOffered: (row) => !isPrice(row) && !hasFailed(row),
  },
  {
    name: 'settled-and-refunded',
    as: 'SETTLED',
    label: 'The money was paid after all',
    tone: 'good',
    about:
      'It was paid out, and given back to the payer as well. The payment stays failed; choose who pays for it.',
    fields: [BEARER, REFERENCE],
    isOffered: (row) => !isPrice(row) && hasFailed(row),
  },
  {
    name: 'apply-price',
    as: 'SETTLED',
    label: 'Apply the price',
    tone: 'good',
    about: 'The price is right and applies from now on.',
    isOffered: isPrice,
  },
  {
    name: 'failed',
    as: 'FAILED',
    label: 'The money was not paid',
    tone: 'bad',
    about: 'The order counts as failed: its payment fails, and what was taken is refunded.',
    fields: [REFERENCE],
    isOffered: (row) => !hasFailed(row),
  },
  {
    name: 'still-failed',
    as: 'FAILED',
    label: 'It failed, as on record',
    about: 'The payment stays failed and refunded.',
    isOffered: hasFailed,
  },
  {
    name: 'returned',
    as: 'RETURNED',
    label: 'The money came back',
    tone: 'good',
    about: 'The amount is given back to the payer, as with a return that was reported.',
    fields: [AMOUNT, REFERENCE],
  },
  {
    name: 'released',
    as: 'RELEASED',
    label: 'Release',
    tone: 'good',
    about: 'The match is another party: the payment goes on.',
  },
  {
    name: 'refused',
    as: 'REFUSED',
    label: 'Refuse',
    tone: 'bad',
    about: 'The match is right: the payment fails, and what was taken is refunded.',
  },
  {
    name: 'ignored',
    as: 'IGNORED',
    label: 'Discard what was said',
    about: 'What is on record stays. Reports that waited behind it are applied.',
    isOffered: (row) => !isOnlyNoted(row),
  },
  {
    name: 'noted',
    as: 'IGNORED',
    label: 'Close it',
    about: 'Closing moves no money. Say in the note what was done.',
    isOffered: isOnlyNoted,
  },
]

export const RESOLVE_ACTIONS: readonly Action<Row>[] = WAYS.map(actionOf)
