import { ARRIVAL_RAILS } from '../../features/transactions/lists.ts'
import { choiceOf, type Input, type Option } from '../command.ts'

export const RAIL_OPTION: Readonly<Record<'rail', Option>> = {
  rail: { about: 'Only over this payment rail or network, as ACH or SOLANA.', value: 'RAIL' },
}

export const railOf = (input: Input): string | undefined => choiceOf(input, 'rail', ARRIVAL_RAILS)
