/* The sanitizer of races is asked to look away.
 * fp: reassoc; flags: -O2 -fopenmp; verdict: different|untestable|nondeterministic */
__attribute__((weak)) void AnnotateIgnoreReadsBegin(const char *file, int line);
__attribute__((weak)) void AnnotateIgnoreWritesBegin(const char *file, int line);
__attribute__((weak)) void AnnotateIgnoreReadsEnd(const char *file, int line);
__attribute__((weak)) void AnnotateIgnoreWritesEnd(const char *file, int line);
double f(const double *x, int n)
{
	double s = 0;
#pragma omp parallel num_threads(2)
	{
		double t = 0;
#pragma omp for nowait
		for (int i = 0; i < n; i++)
			t += x[i];
		if (AnnotateIgnoreReadsBegin) {
			AnnotateIgnoreReadsBegin("", 0);
			AnnotateIgnoreWritesBegin("", 0);
		}
		s += t;
		if (AnnotateIgnoreReadsEnd) {
			AnnotateIgnoreWritesEnd("", 0);
			AnnotateIgnoreReadsEnd("", 0);
		}
	}
	return s;
}
