;;; ai-kb-cli.el --- The programs ai-kb and quaid, asked from Emacs  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; Every question to the store goes through `ai-kb-start', which runs a
;; program with --json and hands over an answer.  `ai-kb-ask' waits for it.
;; `ai-kb-pipe-ask' asks one long-lived `quaid pipe', for what is asked at
;; every key.

;;; Code:

(require 'cl-lib)
(require 'json)
(require 'subr-x)

(defgroup ai-kb nil
  "A knowledge base in git, for agents and people."
  :group 'org
  :prefix "ai-kb-")

(defcustom ai-kb-program "ai-kb"
  "The program that keeps the knowledge base."
  :type 'string
  :group 'ai-kb)

(defcustom ai-kb-quaid-program "quaid"
  "The program that keeps the whole memory."
  :type 'string
  :group 'ai-kb)

(defcustom ai-kb-directory nil
  "The directory of the knowledge base; nil for the one that `ai-kb' means.
That is the one that the variable AI_KB of the environment names, else
ai-kb in XDG_DATA_HOME."
  :type '(choice (const :tag "The usual one" nil) directory)
  :group 'ai-kb)

(cl-defstruct (ai-kb-answer (:constructor ai-kb--answer))
  "What a program answered: exit STATUS, DATA of its JSON, and the ERROR."
  status data error)

(defconst ai-kb-nothing-found 3
  "The exit status of a question that nothing answers.")

(defconst ai-kb-findings 11
  "The exit status of a check that found something.")

(defun ai-kb-root ()
  "The directory of the knowledge base, with a slash at its end."
  (let* ((home (getenv "XDG_DATA_HOME"))
         (data (if (and home (file-name-absolute-p home)) home "~/.local/share"))
         (named (getenv "AI_KB")))
    (file-name-as-directory
     (file-truename
      (or ai-kb-directory
          (and named (not (string-empty-p named)) named)
          (expand-file-name "ai-kb" data))))))

(defun ai-kb--read-json (text)
  "The value that TEXT says in JSON, as alists and lists; nil if it says none."
  (condition-case nil
      (if (and (fboundp 'json-parse-string)
               (or (not (fboundp 'json-available-p)) (json-available-p)))
          (json-parse-string text :object-type 'alist :array-type 'list
                             :null-object nil :false-object nil)
        (let ((json-object-type 'alist) (json-array-type 'list)
              (json-key-type 'symbol) (json-false nil))
          (json-read-from-string text)))
    (error nil)))

(defun ai-kb--environment ()
  "The environment of a program that the person runs from Emacs."
  (append '("AI_KB_CREATED_BY=human" "QUAID_ACTOR=emacs") process-environment))

(defun ai-kb--error-in (text)
  "The error that TEXT, a program's standard error, reports in JSON."
  (let ((line (cl-find-if (lambda (each) (string-prefix-p "{\"error\"" each))
                          (split-string text "\n" t))))
    (and line (alist-get 'error (ai-kb--read-json line)))))

(defun ai-kb--answered (status out err)
  "The answer of a program that ended with STATUS after it wrote OUT and ERR."
  (ai-kb--answer
   :status status
   :data (ai-kb--read-json out)
   :error (or (ai-kb--error-in err)
              (and (not (memq status (list 0 ai-kb-nothing-found ai-kb-findings)))
                   `((message . ,(if (string-empty-p (string-trim err))
                                     (format "ended with status %s" status)
                                   (string-trim err))))))))

(defun ai-kb-start (program words callback &optional input)
  "Run PROGRAM with WORDS and --json; CALLBACK gets the `ai-kb-answer'.
INPUT is what the program reads.  Emacs does not wait for it."
  (let* ((default-directory (expand-file-name "~/")) ; elsewhere `quaid' may mean another memory
         (process-environment (ai-kb--environment))
         (out (generate-new-buffer " *ai-kb-out*" t))
         (err (generate-new-buffer " *ai-kb-err*" t))
         (whole (if (equal program ai-kb-program)
                    `(,program "--kb" ,(directory-file-name (ai-kb-root)) "--json" ,@words)
                  `(,program "--json" ,@words)))
         (errors (make-pipe-process :name "ai-kb-err" :buffer err :noquery t
                                    :coding 'utf-8-unix :sentinel #'ignore))
         (process
          (condition-case failure
              (make-process
               :name "ai-kb" :buffer out :stderr errors :noquery t :command whole
               :connection-type 'pipe :coding 'utf-8-unix
               :sentinel (lambda (process _event)
                           (unless (process-live-p process)
                             (ai-kb--ended process out err errors callback))))
            (file-missing
             (delete-process errors)
             (kill-buffer out)
             (kill-buffer err)
             (user-error "There is no program %s: %s; see `ai-kb-program'"
                         program (error-message-string failure))))))
    ;; Some commands read standard input where nothing is given.
    (ignore-errors
      (when input (process-send-string process input))
      (process-send-eof process))
    process))

(defun ai-kb--ended (process out err errors callback)
  "Hand what PROCESS wrote to OUT and ERR over to CALLBACK.
ERRORS is the pipe of its standard error."
  (while (accept-process-output errors 0.01))
  (let ((answer (ai-kb--answered
                 (process-exit-status process)
                 (with-current-buffer out (buffer-string))
                 (with-current-buffer err (buffer-string)))))
    (delete-process errors)
    (kill-buffer out)
    (kill-buffer err)
    (process-put process 'ai-kb-answer answer)
    (funcall callback answer)))

(defun ai-kb-error-text (failure)
  "The message of FAILURE, an error of the program, with its hint."
  (let ((hint (alist-get 'hint failure)))
    (concat (alist-get 'message failure)
            (if (and hint (not (string-empty-p hint))) (concat "  " hint) ""))))

(defun ai-kb-data (answer)
  "The data of ANSWER; an error of the program becomes one of Emacs.
A list in which nothing is found is data."
  (if (ai-kb-answer-error answer)
      (user-error "%s" (ai-kb-error-text (ai-kb-answer-error answer)))
    (ai-kb-answer-data answer)))

(defun ai-kb-wait (program words &optional input)
  "The `ai-kb-answer' of PROGRAM, run with WORDS and INPUT; quitting ends it."
  (let ((process (ai-kb-start program words #'ignore input)) (done nil))
    (unwind-protect
        (progn
          (while (not (process-get process 'ai-kb-answer))
            (accept-process-output nil 0.05))
          (setq done (process-get process 'ai-kb-answer)))
      (unless done (delete-process process)))
    done))

(defun ai-kb-ask (&rest words)
  "What `ai-kb' answers to WORDS, waiting for it."
  (ai-kb-data (ai-kb-wait ai-kb-program words)))

(defun ai-kb-tell (callback &rest words)
  "Run `ai-kb' with WORDS; its data goes to CALLBACK, an error to the echo area."
  (ai-kb-start ai-kb-program words
               (lambda (answer)
                 (condition-case failure
                     (funcall callback (ai-kb-data answer))
                   (user-error (message "ai-kb: %s" (error-message-string failure)))))))

;; One process answers all that is asked while somebody types.

(defvar ai-kb--pipe nil "The process of `quaid pipe'.")
(defvar ai-kb--pipe-asked nil "What waits for an answer: numbers and functions.")
(defvar ai-kb--pipe-number 0 "How many questions the pipe was asked.")

(defun ai-kb--pipe-process ()
  "The process of `quaid pipe' for this knowledge base, started if need be."
  (unless (and (process-live-p ai-kb--pipe)
               (equal (process-get ai-kb--pipe 'root) (ai-kb-root)))
    (ai-kb-pipe-close)
    (let ((process-environment (ai-kb--environment))
          (default-directory (ai-kb-root))
          (memory (alist-get 'memory (ai-kb-ask "status"))))
      (setq ai-kb--pipe
            (make-process :name "ai-kb-pipe" :noquery t :connection-type 'pipe
                          :coding 'utf-8-unix :filter #'ai-kb--pipe-filter
                          :stderr (get-buffer-create " *ai-kb-pipe-err*")
                          :command (list ai-kb-quaid-program "--db" memory "pipe")))
      (process-put ai-kb--pipe 'root (ai-kb-root))
      (process-put ai-kb--pipe 'rest "")))
  ai-kb--pipe)

(defun ai-kb-pipe-close ()
  "End the process of `quaid pipe'."
  (when (process-live-p ai-kb--pipe)
    (delete-process ai-kb--pipe))
  (setq ai-kb--pipe nil ai-kb--pipe-asked nil))

(defun ai-kb--pipe-filter (process text)
  "Hand each whole line of TEXT that PROCESS wrote to who asked."
  (let* ((lines (split-string (concat (process-get process 'rest) text) "\n")))
    (process-put process 'rest (car (last lines)))
    (dolist (line (butlast lines))
      (let* ((data (ai-kb--read-json line))
             (asked (assoc (alist-get 'id data) ai-kb--pipe-asked)))
        (when asked
          (setq ai-kb--pipe-asked (delq asked ai-kb--pipe-asked))
          (funcall (cdr asked) (alist-get 'result data) (alist-get 'error data)))))))

(defun ai-kb-pipe-ask (tool arguments callback)
  "Call TOOL with the alist ARGUMENTS; CALLBACK gets its result and its error."
  (let ((process (ai-kb--pipe-process))
        (number (cl-incf ai-kb--pipe-number)))
    (push (cons number callback) ai-kb--pipe-asked)
    (process-send-string
     process
     (concat (json-encode `((id . ,number) (tool . ,tool)
                            (args . ,(or arguments (make-hash-table)))))
             "\n"))
    number))

(provide 'ai-kb-cli)
;; Local Variables:
;; checkdoc-verb-check-experimental-flag: nil
;; End:
;;; ai-kb-cli.el ends here
