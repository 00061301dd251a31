import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const PLACES = ['/usr/sbin/nginx', '/usr/local/sbin/nginx', '/opt/homebrew/bin/nginx']

/** `NGINX_PATH`, or the usual places; `undefined` where there is none. */
export const nginxPath = (): string | undefined =>
  [process.env.NGINX_PATH, ...PLACES].find((path) => path !== undefined && existsSync(path))

/** nginx in front of a folder alone, on a port of its own. */
export class Nginx {
  private constructor(
    private readonly child: ChildProcess,
    private readonly folder: string,
    readonly url: string,
  ) {}

  /** @param root - with what `DirectoryPublisher` writes for nginx */
  static async start(root: string, { workers = 1 } = {}): Promise<Nginx> {
    const command = nginxPath()
    if (command === undefined) throw new Error('there is no nginx')
    const folder = await mkdtemp(join(tmpdir(), 'vidimus-nginx-'))
    const port = await freePort()
    await writeFile(join(folder, 'nginx.conf'), configuration(folder, root, port, workers))
    const child = spawn(
      command,
      ['-c', join(folder, 'nginx.conf'), '-p', folder, '-e', join(folder, 'error.log')],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    )
    let said = ''
    child.stderr.on('data', (text: Buffer) => (said += text.toString()))
    const nginx = new Nginx(child, folder, `http://127.0.0.1:${port}`)
    while (!(await nginx.answers())) {
      if (child.exitCode !== null) {
        throw new Error(
          `nginx ended: ${said}${await readFile(join(folder, 'error.log'), 'utf8').catch(() => '')}`,
        )
      }
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    return nginx
  }

  async stop(): Promise<void> {
    const closed = this.child.exitCode === null ? once(this.child, 'close') : undefined
    this.child.kill('SIGTERM')
    await closed
    await rm(this.folder, { recursive: true, force: true })
  }

  private async answers(): Promise<boolean> {
    return fetch(this.url).then(
      () => true,
      () => false,
    )
  }
}

const configuration = (folder: string, root: string, port: number, workers: number): string => `
daemon off;
${process.getuid?.() === 0 ? 'user root;' : ''}
worker_processes ${workers};
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events { worker_connections 1024; }
http {
  access_log off;
  sendfile on;
  client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
  include ${root}/.vidimus/nginx-http-*.conf;
  server {
    listen 127.0.0.1:${port};
    root ${root};
    include ${root}/.vidimus/nginx-server.conf;
  }
}
`

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}
