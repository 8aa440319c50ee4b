import { CUSTOMER_STATUSES, CUSTOMER_TYPES } from '../../../features/customers/index.ts'
import {
  codeColumn,
  idColumn,
  inWords,
  PLATFORM_COLUMN,
  statusColumn,
  textColumn,
  textIn,
  timeColumn,
} from '../../cells.ts'
import type { Choice, Column, Section } from '../../section.ts'
import { customerView } from './customer-view.ts'
import { nameOf, statusOf } from './review-file.ts'

const choices = (values: readonly string[]): readonly Choice[] =>
  values.map((value) => ({ value, label: inWords(value) }))

const STATUS: Column = {
  ...statusColumn('Status'),
  cell: (row, visit) => statusColumn('', 'status').cell({ status: statusOf(row) }, visit),
}

export const customers: Section = {
  path: 'customers',
  title: 'Customers',
  about: 'People and companies for whom platforms move money, newest first.',
  idOf: (row) => textIn(row, 'customerId'),
  list: {
    command: 'customers list',
    caption: 'Customers, newest first',
    byPlatform: true,
    filters: [
      { name: 'status', label: 'Status', choices: choices(CUSTOMER_STATUSES) },
      { name: 'type', label: 'Type', choices: choices(CUSTOMER_TYPES) },
    ],
    columns: [
      textColumn('Name', 'customerName'),
      statusColumn('Status', 'status'),
      statusColumn('Type', 'customerType'),
      PLATFORM_COLUMN,
      idColumn('Platform customer id', 'platformCustomerId'),
      timeColumn('Since', 'createdAt'),
      idColumn('Id', 'customerId'),
    ],
    empty: 'No customer is like this.',
    limit: 50,
    older: { option: 'before', of: (row) => textIn(row, 'customerId') },
  },
  detail: {
    command: 'customers show',
    title: nameOf,
    facts: [
      STATUS,
      statusColumn('Type', 'customer', 'customerType'),
      PLATFORM_COLUMN,
      textColumn('Platform customer id', 'customer', 'platformCustomerId'),
      textColumn('UMA address', 'customer', 'umaAddress'),
      timeColumn('Since', 'customer', 'createdAt'),
      codeColumn('Id', 'customer', 'id'),
    ],
    body: customerView,
  },
}
