/** A loopback proxy in front of the service that loses, delays or replaces answers as told. */
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'

export type Fault =
  | 'PASS'
  /** The service does what was asked; its answer is lost. */
  | 'LOSE_ANSWER'
  /** The service is not even asked. */
  | 'REFUSE'
  /** The service is not asked, and nobody answers. */
  | 'HANG'
  | Readonly<{ status: number; headers?: Record<string, string>; body?: string }>

export type Seen = Readonly<{ method: string; url: string; headers: http.IncomingHttpHeaders }>

/** `faults` are used up one by one; what comes after them passes. */
export async function startUnrulyProxy(target: string) {
  const seen: Seen[] = []
  const faults: Fault[] = []
  const { origin } = new URL(target)
  const server = http.createServer((request, response) => {
    const fault = faults.shift() ?? 'PASS'
    const { method = '', url = '', headers } = request
    seen.push({ method, url, headers })
    if (typeof fault === 'object') {
      response.writeHead(fault.status, fault.headers).end(fault.body)
    } else if (fault === 'REFUSE') request.socket.destroy()
    else if (fault !== 'HANG') {
      const onward = http.request(`${origin}${url}`, { method, headers }, (answer) => {
        if (fault === 'LOSE_ANSWER') {
          answer.resume().on('end', () => request.socket.destroy())
          return
        }
        response.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(response)
      })
      request.pipe(onward)
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    /** What the next requests meet; forgets what was seen before. */
    play(...next: Fault[]) {
      faults.splice(0, faults.length, ...next)
      seen.length = 0
    },
  }
}
