import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { createKeyring } from '../../../src/crypto/keyring.ts'
import { SERVICE_ROLE } from '../../../src/infra/db/embedded/cluster.ts'

/** The keys of a database that is opened without a service. */
export const keyring = createKeyring(Buffer.alloc(32, 7).toString('base64'))

export type ClonedDatabase = Readonly<{
  url: string
  /** As the role that the service has where another one owns the tables. */
  serviceUrl: string
  drop(): Promise<void>
}>

/**
 * A database of its own for the caller, migrated and empty: a copy of the template that the test runner made. Copies of
 * one template may be made at once, since nobody is ever connected to it.
 */
export const cloneDatabase = (): Promise<ClonedDatabase> => databaseFrom('TEST_TEMPLATE')

/** A database that was never migrated. */
export const emptyDatabase = (): Promise<ClonedDatabase> => databaseFrom('template0')

async function databaseFrom(source: 'TEST_TEMPLATE' | 'template0'): Promise<ClonedDatabase> {
  const { TEST_DATABASE_URL: adminUrl, TEST_TEMPLATE: migrated } = process.env
  const template = source === 'TEST_TEMPLATE' ? migrated : source
  if (adminUrl === undefined || template === undefined) {
    throw new Error('There is no test database: run the tests with `npm test -- <file>`.')
  }
  const name = `clone_${randomBytes(8).toString('hex')}`
  // Twice as fast as writing the copy to the log, which is the default.
  await execute(adminUrl, `create database ${name} template ${template} strategy file_copy`)
  const url = new URL(adminUrl)
  url.pathname = name
  const serviceUrl = url.href.replace(`//${url.username}:`, `//${SERVICE_ROLE}:`)
  return {
    url: url.href,
    serviceUrl,
    drop: () => execute(adminUrl, `drop database if exists ${name} with (force)`),
  }
}

async function execute(adminUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
