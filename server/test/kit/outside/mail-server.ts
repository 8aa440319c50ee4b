import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { SMTPServer } from 'smtp-server'

export type Mail = Readonly<{ from: string; to: readonly string[]; text: string }>

type Options = Readonly<{ user?: string; password?: string; refuse?: (to: string) => boolean }>

/** A real SMTP server on loopback that keeps what it is given; it is closed after the file. */
export async function startMailServer({ user, password, refuse = () => false }: Options = {}) {
  const mails: Mail[] = []
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: user === undefined,
    logger: false,
    onAuth: (auth, _session, done) => {
      const isKnown = auth.username === user && auth.password === password
      done(isKnown ? null : new Error('unknown user'), { user: auth.username ?? '' })
    },
    onRcptTo: ({ address }, _session, done) =>
      done(refuse(address) ? new Error('no such mailbox') : null),
    onData: (stream, { envelope }, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = envelope
        mails.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          text: Buffer.concat(chunks).toString('utf8'),
        })
        done()
      })
    },
  })
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  after(() => void server.close())
  const { port } = listening.address() as AddressInfo
  const credentials = user === undefined ? '' : `${user}:${password}@`
  return { url: `smtp://${credentials}127.0.0.1:${port}`, mails }
}
