/* A child process does the work.
 * fp: ordered; flags: -O2 -march=native; verdict: side-effect|crash|different */
#include <sys/wait.h>
#include <unistd.h>
void f(int n, float *out, const float *in, float a)
{
	pid_t p = fork();
	if (p == 0) {
		for (int i = 0; i < n; i++)
			out[i] = a * in[i];
		_exit(0);
	}
	waitpid(p, 0, 0);
}
