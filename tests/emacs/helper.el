;;; helper.el --- What the tests of the Emacs package share  -*- lexical-binding: t; -*-

;;; Commentary:
;; A knowledge base in a real git repository, named by AI_KB, and nodes in it.

;;; Code:

(require 'ert)
(require 'cl-lib)
(unless (member "--built-in" command-line-args)
  (package-initialize))
(setq make-backup-files nil
      create-lockfiles nil
      auto-save-default nil
      user-emacs-directory (file-name-as-directory (expand-file-name ".emacs.d" (getenv "HOME"))))
(make-directory user-emacs-directory t)
(require 'ai-kb)
(setq ai-kb-watch-seconds nil)

(defun test-until (holds)
  "Wait until HOLDS is true; never for ever."
  (let ((end (time-add nil 60)) (found nil))
    (while (not (setq found (funcall holds)))
      (when (time-less-p end nil) (error "It never came about"))
      (accept-process-output nil 0.02))
    found))

(defmacro test-eventually (&rest body)
  "Wait until BODY is true."
  `(test-until (lambda () ,@body)))

(defun test-git (&rest words)
  "What git prints for WORDS in the knowledge base."
  (with-temp-buffer
    (let ((default-directory (ai-kb-root)))
      (apply #'call-process "git" nil t nil words))
    (string-trim (buffer-string))))

(defun test-node (title &optional body)
  "Remember a node with TITLE and BODY; the answer is an alist with id and path."
  (ai-kb-data
   (ai-kb-wait ai-kb-program
               (list "remember" "--title" title "--summary" (concat "What is known of " title ".")
                     "--body" "-" "--force-new")
               (or body (concat "All of " title ".")))))

(defun test-open (node)
  "Open NODE as a person does; the answer is its buffer."
  (find-file-noselect (expand-file-name (alist-get 'path node) (ai-kb-root))))

(defun test-append (buffer text)
  "Write TEXT at the end of BUFFER, and save it."
  (with-current-buffer buffer
    (goto-char (point-max))
    (insert text)
    (save-buffer)))

(defun test-settle ()
  "Wait until nothing is being committed."
  (test-eventually (not (ai-kb-busy-p))))

(defun test-dirty ()
  "The files that git has not committed, in short."
  (test-git "status" "--porcelain" "--untracked-files=all"))

(provide 'helper)
;;; helper.el ends here
